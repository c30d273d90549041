import { Effect, Option, Result, Stream } from "effect";
import * as Base64 from "effect/encoding/Base64";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { MessageToSend } from "./MessageToSend.ts";
import { MessageTooLarge, SendRequestInvalid } from "./errors.ts";
import { isKept } from "./is-kept.ts";
import { MAX_ATTACHMENT_BYTES } from "./limits.ts";
import type { OutgoingAttachment } from "./OutgoingContents.ts";
import type { UploadRecords } from "./ports/UploadRecords.ts";
import type { AttachmentRequest } from "./SendRequest.ts";
import type { Uploads } from "./Uploads.ts";

/** Returns the path of an upload below the address of the service; compared, never fetched (spec 6). */
export const uploadUrl = (id: string): string => `/api/uploads/${id}`;

/** One message for every fault, so that an account cannot learn whether another account's file exists. */
const MESSAGE =
  "must be the id, and the url where there is one, of a file this account uploaded and that has not expired";

/** Parts of these types must not be encoded, but a file is (RFC 2046). */
const NEVER_A_FILE = /^(multipart|message)\//i;

/** Returns the error for uploads that expired while the message was journaled. */
export const attachmentsGone = (wanted: Pick<MessageToSend, "attachments">): SendRequestInvalid =>
  new SendRequestInvalid({
    errors: wanted.attachments.map((_, n) => ({ field: `attachments.${n}`, message: MESSAGE })),
  });

/** Finds the files that a message names by id, and stores those that it contains (spec 6). */
export const attachmentsOf = Effect.fnUntraced(function* (
  { records, uploads }: { readonly records: UploadRecords["Service"]; readonly uploads: Uploads["Service"] },
  account: AccountId,
  { attachments }: Pick<MessageToSend, "attachments">,
  now: number,
): Effect.fn.Return<ReadonlyArray<OutgoingAttachment>, SendRequestInvalid | MessageTooLarge | StoreUnavailable> {
  const named = yield* Effect.forEach(attachments, ({ id, url }) =>
    id === undefined || url?.endsWith(uploadUrl(id)) === false ? Effect.succeedNone : records.find(account, id),
  );
  const isUsable = (n: number): boolean =>
    attachments[n]?.content !== undefined || Option.exists(named[n]!, (upload) => isKept(upload, now));
  const errors = attachments.flatMap((_, n) => (isUsable(n) ? [] : [{ field: `attachments.${n}`, message: MESSAGE }]));
  if (errors.length > 0) return yield* new SendRequestInvalid({ errors });
  return yield* Effect.forEach(attachments, (attachment, n) =>
    Effect.map(
      Option.match(named[n]!, { onNone: () => stored(uploads, account, attachment), onSome: Effect.succeed }),
      ({ id, name, type, size }): OutgoingAttachment => ({
        uploadId: id,
        name: attachment.name ?? name,
        type: NEVER_A_FILE.test(attachment.type ?? type) ? "application/octet-stream" : (attachment.type ?? type),
        size,
        contentId: attachment.contentId ?? null,
      }),
    ),
  );
});

const stored = (uploads: Uploads["Service"], account: AccountId, { content = "", name, type }: AttachmentRequest) =>
  uploads
    .receive(account, {
      name: name ?? "attachment",
      type: type ?? "application/octet-stream",
      bytes: Stream.make(Result.getOrThrow(Base64.decode(content))),
    })
    .pipe(
      Effect.catchTag(
        "UploadTooLarge",
        () => new MessageTooLarge({ detail: `a file may have at most ${MAX_ATTACHMENT_BYTES} bytes` }),
      ),
    );
