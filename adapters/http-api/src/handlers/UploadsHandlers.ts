import { MAX_FORM_BYTES, PosternApi } from "@postern/api";
import { MAX_ATTACHMENT_BYTES, Uploads, uploadUrl, UploadTooLarge } from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
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
      upload: Effect.fnUntraced(function* ({ payload, request }) {
        const account = yield* currentAccount;
        // A body announced as too large is refused before it is read.
        const tooLarge = Number(request.headers["content-length"]) > MAX_FORM_BYTES;
        const received = tooLarge
          ? new UploadTooLarge({ maxBytes: MAX_ATTACHMENT_BYTES })
          : Effect.flatMap(incomingFile(payload), (file) => uploads.receive(account, file));
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
