import { PosternApi } from "@postern/api";
import { Uploads, uploadUrl } from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { creationKey } from "../wire/creation-key.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-principal.ts";
import { incomingFile } from "../edge/incoming-file.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { sendBytes } from "../downloads/send-bytes.ts";

/** Handlers of the upload operations (spec 6.1). */
export const UploadsHandlers = handlerGroup(
  PosternApi,
  "uploads",
  Effect.fn(function* (handlers) {
    const uploads = yield* Uploads;
    const { prefix } = yield* PublicAddress;
    return handlers.handleAll({
      upload: Effect.fnUntraced(function* ({ payload, request, headers }) {
        const account = yield* currentAccount;
        const key = yield* creationKey(headers);
        const received = Effect.flatMap(incomingFile(payload, request), (file) =>
          uploads.receiveOnce(account, file, key),
        );
        const { id, name, type, size } = yield* answer(Effect.scoped(received));
        return { ok: true as const, data: { id, name, url: prefix + uploadUrl(id), type, size } };
      }),
      download: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        const account = yield* currentAccount;
        return yield* answer(
          Effect.flatMap(uploads.open(account, id), ({ upload: { name, type }, bytes }) =>
            sendBytes({ name, type, tag: id, first: bytes, bytes: Effect.succeed(bytes) }, headers),
          ),
        );
      }),
    });
  }),
);
