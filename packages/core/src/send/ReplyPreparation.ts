import { Context, Effect, Layer } from "effect";
import { type BodyPart, leavesOf, type MailboxAccessError } from "../mail/index.ts";
import { isAutomaticHeader } from "../mail/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import { type AnswerFields, answerFields, chooseBodies } from "../messages/neighbours.ts";
import { MessageChanges, MessageLocator, MessageNotFound, MessageReader } from "../messages/index.ts";
import { type MessageTooLarge, SendRequestInvalid } from "./errors.ts";
import { MAX_ATTACHMENTS } from "./limits.ts";
import type { OutgoingAttachment } from "./OutgoingContents.ts";
import type { SendRequest } from "./SendRequest.ts";
import { CarriedFiles } from "./CarriedFiles.ts";

/** The fields and files that an outgoing message takes from the message it answers or forwards. */
export interface AnsweredMessage extends AnswerFields {
  /** Whether a program wrote the message that is answered. */
  readonly isAutomatic: boolean;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
}

const NOTHING: AnsweredMessage = { isAutomatic: false, inReplyTo: null, references: [], attachments: [] };

/** Prepares answers and forwards (spec 6): the original is streamed, never sent to the client or held in memory. */
export class ReplyPreparation extends Context.Service<
  ReplyPreparation,
  {
    /** Returns the fields of the message that a request answers, or the files of the message it forwards. */
    readonly prepare: (
      account: AccountId,
      request: SendRequest,
    ) => Effect.Effect<AnsweredMessage, MailboxAccessError | SendRequestInvalid | MessageTooLarge>;
    /** Marks the original message as answered; a failure is only logged. */
    readonly mark: (account: AccountId, request: SendRequest) => Effect.Effect<void>;
  }
>()("@postern/core/send/ReplyPreparation") {
  static readonly layer = Layer.effect(
    ReplyPreparation,
    Effect.gen(function* () {
      const locator = yield* MessageLocator;
      const reader = yield* MessageReader;
      const changes = yield* MessageChanges;
      const { carry } = yield* CarriedFiles;

      const forwarded = Effect.fnUntraced(function* (account: AccountId, request: SendRequest, id: string) {
        return yield* locator.at(account, id, (located) =>
          Effect.gen(function* () {
            const { structure } = yield* Effect.scoped(reader.open(account, located.place));
            const parts = structure === null ? [] : carriedParts(structure, request.html ?? "");
            return yield* carry(account, located.place, parts, MAX_ATTACHMENTS - (request.attachments?.length ?? 0));
          }),
        );
      });

      const prepare = Effect.fnUntraced(function* (account: AccountId, request: SendRequest) {
        const { replyToMessageId, forwardOf } = request;
        if (replyToMessageId !== undefined && forwardOf !== undefined) {
          return yield* fault("forwardOf", "cannot go together with replyToMessageId");
        }
        if (replyToMessageId !== undefined) {
          const fields = yield* locator
            .at(account, replyToMessageId, ({ place }) =>
              Effect.map(Effect.scoped(reader.open(account, place)), ({ header }) => ({
                isAutomatic: isAutomaticHeader(header),
                ...answerFields(header),
              })),
            )
            .pipe(Effect.catchTag("MessageNotFound", () => fault("replyToMessageId", UNKNOWN)));
          return { ...fields, attachments: [] };
        }
        if (forwardOf === undefined) return NOTHING;
        const attachments = yield* forwarded(account, request, forwardOf).pipe(
          Effect.catchTag("MessageNotFound", () => fault("forwardOf", UNKNOWN)),
        );
        return { ...NOTHING, attachments };
      });

      const mark = (account: AccountId, { replyToMessageId: id }: SendRequest) =>
        id === undefined
          ? Effect.void
          : locator
              .at(account, id, ({ place }) =>
                Effect.filterOrFail(
                  changes.setFlags(account, place, [place.uid], { answered: true }),
                  (present) => present.size > 0,
                  () => new MessageNotFound(),
                ),
              )
              .pipe(
                Effect.asVoid,
                Effect.catch((error) => Effect.logWarning("marking a message as answered failed", error._tag)),
              );

      return ReplyPreparation.of({ prepare, mark });
    }),
  );
}

const UNKNOWN = "must be the id of a message of this account";

const fault = (field: string, message: string) => Effect.fail(new SendRequestInvalid({ errors: [{ field, message }] }));

/** The attachments, and the inline images that the new HTML shows. */
const carriedParts = (structure: BodyPart, html: string): ReadonlyArray<BodyPart> => {
  const bodies = new Set(chooseBodies(structure).map(({ part }) => part));
  return leavesOf(structure).filter(
    (part) =>
      !bodies.has(part) &&
      (part.disposition === "attachment" || part.contentId === null || html.includes(`cid:${part.contentId}`)),
  );
};
