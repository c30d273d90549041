import { Effect, Option, Result, Stream } from "effect";
import * as Base64 from "effect/encoding/Base64";
import { type AccountId, InputInvalid, type StoreUnavailable } from "../../shared/index.ts";
import type { MessageToSend } from "../MessageToSend.ts";
import { MessageTooLarge } from "../errors.ts";
import { isKept } from "./is-kept.ts";
import { CARRIED_PREFIX } from "./Upload.ts";
import { MAX_ATTACHMENT_BYTES } from "../limits.ts";
import type { OutgoingAttachment } from "../outgoing/OutgoingContents.ts";
import { UploadRecords } from "../ports/UploadRecords.ts";
import type { AttachmentRequest } from "../SendRequest.ts";
import { Uploads } from "./Uploads.ts";

/** Returns the path of an upload below the URL of the service. The path is only compared and never fetched (spec 6). */
export const uploadUrl = (id: string): string => `/api/uploads/${id}`;

/** Returns whether an upload contains a file of a received message. The id shows this wherever the upload is named. */
export const isCarried = (uploadId: string): boolean => uploadId.startsWith(CARRIED_PREFIX);

/** The same message for every fault, so that an account cannot find out whether another account's file exists. */
const MESSAGE = "must be the id, and the url if there is one, of a file this account uploaded and that has not expired";

/** Types that an attachment cannot have, because parts of these types must not be encoded (RFC 2046). */
const NEVER_A_FILE = /^(multipart|message)\//i;

const faultAt = (n: number) => ({ field: `attachments.${n}`, message: MESSAGE });

/** Returns the error for a request whose files expired while the message was stored. */
export const attachmentsGone = (count: number): InputInvalid =>
  new InputInvalid({ errors: Array.from({ length: count }, (_, n) => faultAt(n)) });

/** The ports and services that find and store the files of messages. */
export const uploadStore = Effect.all({ uploadRecords: UploadRecords, uploads: Uploads });
export type UploadStore = Effect.Success<typeof uploadStore>;

/** Finds the files that a message names by id, and stores the files that the message contains (spec 6). */
export const attachmentsOf = Effect.fnUntraced(function* (
  store: UploadStore,
  account: AccountId,
  { attachments }: Pick<MessageToSend, "attachments">,
  now: number,
): Effect.fn.Return<ReadonlyArray<OutgoingAttachment>, InputInvalid | MessageTooLarge | StoreUnavailable> {
  const found = yield* Effect.forEach(attachments, (attachment) => findUpload(store, account, attachment, now));
  const usable = found.filter((one) => one !== undefined);
  if (usable.length < found.length) {
    const errors = found.flatMap((one, n) => (one === undefined ? [faultAt(n)] : []));
    return yield* new InputInvalid({ errors });
  }
  return yield* Effect.forEach(usable, ({ attachment, upload }) =>
    Effect.map(
      upload === null ? storeContent(store.uploads, account, attachment) : Effect.succeed(upload),
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

/** Finds the upload that an attachment names; null if the attachment contains its file, undefined if it may not use the upload. */
const findUpload = Effect.fnUntraced(function* (
  { uploadRecords }: UploadStore,
  account: AccountId,
  attachment: AttachmentRequest,
  now: number,
) {
  const { id, url, content } = attachment;
  if (content !== undefined) return { attachment, upload: null };
  if (id === undefined || url?.endsWith(uploadUrl(id)) === false) return undefined;
  const upload = Option.getOrUndefined(yield* uploadRecords.find(account, id));
  return upload !== undefined && isKept(upload, now) ? { attachment, upload } : undefined;
});

const storeContent = (
  uploads: Uploads["Service"],
  account: AccountId,
  { content = "", name, type }: AttachmentRequest,
) =>
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
