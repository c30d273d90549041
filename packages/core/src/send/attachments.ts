import { Duration, Effect, Option } from "effect";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { MessageToSend } from "./MessageToSend.ts";
import { SendRequestInvalid } from "./errors.ts";
import { UPLOAD_LIFETIME } from "./limits.ts";
import type { OutgoingAttachment } from "./OutgoingContents.ts";
import type { UploadRecords } from "./ports/UploadRecords.ts";

/** Returns the URL of an upload; compared, never fetched (spec 6). */
export const uploadUrl = (id: string): string => `/api/uploads/${id}`;

/** One message for every fault, so that an account cannot learn whether another account's file exists. */
const MESSAGE =
  "must be the id, and the url where there is one, of a file this account uploaded and that has not expired";

/** Parts of these types must not be encoded, but a file is (RFC 2046). */
const NEVER_A_FILE = /^(multipart|message)\//i;

/** Returns the error for uploads that expired while the message was journaled. */
export const attachmentsGone = (wanted: MessageToSend): SendRequestInvalid =>
  new SendRequestInvalid({
    errors: wanted.attachments.map((_, n) => ({ field: `attachments.${n}`, message: MESSAGE })),
  });

/** Returns the uploads that a message names, checked by owner and id (spec 6). */
export const attachmentsOf = Effect.fnUntraced(function* (
  uploads: UploadRecords["Service"],
  account: AccountId,
  wanted: MessageToSend,
  now: number,
): Effect.fn.Return<ReadonlyArray<OutgoingAttachment>, SendRequestInvalid | StoreUnavailable> {
  const attachments: Array<OutgoingAttachment> = [];
  const errors: Array<{ readonly field: string; readonly message: string }> = [];
  for (const [n, { id, url, name, type, contentId }] of wanted.attachments.entries()) {
    const found = (url ?? uploadUrl(id)) === uploadUrl(id) ? yield* uploads.find(account, id) : Option.none();
    if (Option.isNone(found) || found.value.createdAt + Duration.toMillis(UPLOAD_LIFETIME) <= now)
      errors.push({ field: `attachments.${n}`, message: MESSAGE });
    else {
      const upload = found.value;
      attachments.push({
        uploadId: id,
        name: name ?? upload.name,
        type: NEVER_A_FILE.test(type ?? upload.type) ? "application/octet-stream" : (type ?? upload.type),
        size: upload.size,
        contentId: contentId ?? null,
      });
    }
  }
  if (errors.length > 0) return yield* new SendRequestInvalid({ errors });
  return attachments;
});
