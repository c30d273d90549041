import { Effect } from "effect";
import type { BodyPart, MailboxAccessError } from "../../mail/index.ts";
import type { MessageNotFound, MessagePlace, MessageReader } from "../../messages/index.ts";
import type { AccountId } from "../../shared/index.ts";
import { MessageTooLarge } from "../errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../limits.ts";
import type { OutgoingAttachment } from "../outgoing/OutgoingContents.ts";
import type { Uploads } from "../uploads/Uploads.ts";

/** The services that read the files of received messages and store them as uploads. */
export interface FileCarrier {
  readonly reader: MessageReader["Service"];
  readonly uploads: Uploads["Service"];
}

/** Stores at most `max` files of a received message as uploads; streams them and never holds them in memory. */
export const carryFiles = Effect.fn("carryFiles")(function* (
  carrier: FileCarrier,
  account: AccountId,
  place: MessagePlace,
  parts: ReadonlyArray<BodyPart>,
  max: number,
): Effect.fn.Return<ReadonlyArray<OutgoingAttachment>, MailboxAccessError | MessageNotFound | MessageTooLarge> {
  if (parts.length > max) {
    return yield* new MessageTooLarge({ detail: `a message may have at most ${max} more files` });
  }
  if (parts.some(({ size }) => size > MAX_ATTACHMENT_BYTES + 2)) return yield* tooLarge;
  return yield* Effect.forEach(parts, (part) => carryFile(carrier, account, place, part));
});

const carryFile = Effect.fnUntraced(function* (
  { reader, uploads }: FileCarrier,
  account: AccountId,
  place: MessagePlace,
  part: BodyPart,
) {
  const bytes = yield* reader.bytes(account, place, part);
  const type = MEDIA_TYPE.test(part.type) ? part.type : "application/octet-stream";
  const { id, name, size } = yield* Effect.catchTag(
    uploads.receive(account, { name: nameOf(part), type, bytes, isCarried: true }),
    "UploadTooLarge",
    () => tooLarge,
  );
  return { uploadId: id, name, type, size, contentId: part.contentId } satisfies OutgoingAttachment;
});

const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,62}\/[a-z0-9][\w.+-]{0,62}$/i;

const tooLarge = Effect.suspend(
  () => new MessageTooLarge({ detail: `a file may have at most ${MAX_ATTACHMENT_BYTES} bytes` }),
);

const nameOf = ({ name, type }: BodyPart): string => name ?? (type === "message/rfc822" ? "message.eml" : "attachment");
