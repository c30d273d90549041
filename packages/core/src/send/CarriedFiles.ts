import { Context, Effect, Layer } from "effect";
import type { BodyPart, MailboxAccessError } from "../mail/index.ts";
import { type MessageNotFound, type MessagePlace, MessageReader } from "../messages/index.ts";
import type { AccountId } from "../shared/index.ts";
import { MessageTooLarge } from "./errors.ts";
import { MAX_ATTACHMENT_BYTES } from "./limits.ts";
import type { OutgoingAttachment } from "./OutgoingContents.ts";
import { Uploads } from "./Uploads.ts";

/** Makes uploads of the files in a received message; they are streamed and never held in memory. */
export class CarriedFiles extends Context.Service<
  CarriedFiles,
  {
    /** Streams at most `most` parts of a message into uploads. */
    readonly carry: (
      account: AccountId,
      place: MessagePlace,
      parts: ReadonlyArray<BodyPart>,
      most: number,
    ) => Effect.Effect<ReadonlyArray<OutgoingAttachment>, MailboxAccessError | MessageNotFound | MessageTooLarge>;
  }
>()("@postern/core/send/CarriedFiles") {
  static readonly layer = Layer.effect(
    CarriedFiles,
    Effect.gen(function* () {
      const reader = yield* MessageReader;
      const uploads = yield* Uploads;

      const one = Effect.fnUntraced(function* (account: AccountId, place: MessagePlace, part: BodyPart) {
        const bytes = yield* reader.bytes(account, place, part);
        const type = MEDIA_TYPE.test(part.type) ? part.type : "application/octet-stream";
        const { id, name, size } = yield* Effect.catchTag(
          uploads.receive(account, { name: nameOf(part), type, bytes }),
          "UploadTooLarge",
          () => tooLarge,
        );
        return { uploadId: id, name, type, size, contentId: part.contentId } satisfies OutgoingAttachment;
      });

      return CarriedFiles.of({
        carry: Effect.fn("CarriedFiles.carry")(function* (account, place, parts, most) {
          if (parts.length > most) {
            return yield* new MessageTooLarge({ detail: `a message may have at most ${most} more files` });
          }
          if (parts.some(({ size }) => size > MAX_ATTACHMENT_BYTES + 2)) return yield* tooLarge;
          return yield* Effect.forEach(parts, (part) => one(account, place, part));
        }),
      });
    }),
  );
}

const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,62}\/[a-z0-9][\w.+-]{0,62}$/i;

const tooLarge = Effect.suspend(
  () => new MessageTooLarge({ detail: `a file may have at most ${MAX_ATTACHMENT_BYTES} bytes` }),
);

const nameOf = ({ name, type }: BodyPart): string => name ?? (type === "message/rfc822" ? "message.eml" : "attachment");
