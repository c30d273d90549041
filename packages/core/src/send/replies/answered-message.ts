import { Effect, Result } from "effect";
import { type BodyPart, leavesOf, type MailboxAccessError } from "../../mail/index.ts";
import { isAutomaticHeader } from "../../mail/neighbours.ts";
import { type AccountId, InputInvalid } from "../../shared/index.ts";
import { type AnswerFields, answerFields, chooseBodies } from "../../messages/neighbours.ts";
import {
  type MessageChanges,
  MessageLocator,
  MessageNotFound,
  MessageReader,
  type Messages,
} from "../../messages/index.ts";
import type { MessageTooLarge } from "../errors.ts";
import { MAX_ATTACHMENTS } from "../limits.ts";
import type { OutgoingAttachment } from "../outgoing/OutgoingContents.ts";
import type { SendRequest } from "../SendRequest.ts";
import { carryFiles } from "./carry-files.ts";
import { Uploads } from "../uploads/Uploads.ts";
import { answerText, forwardSubject, forwardText, replyRecipients, replySubject } from "./reply-template.ts";

/** The fields and files that an outgoing message takes from the message that it answers or forwards. */
export interface AnsweredMessage extends AnswerFields {
  /** Whether a program wrote the answered message. */
  readonly isAutomatic: boolean;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
}

const NOTHING: AnsweredMessage = { isAutomatic: false, inReplyTo: null, references: [], attachments: [] };

/** The ports and services that find and read the original message of an answer or forward. */
export const originalMessages = Effect.all({ locator: MessageLocator, reader: MessageReader, uploads: Uploads });
export type OriginalMessages = Effect.Success<typeof originalMessages>;

/**
 * Returns the fields of the message that a request answers, or the files of the message that it forwards (spec 6). The
 * original is streamed; it is never sent to the client or held in memory.
 */
export const readAnswered = Effect.fnUntraced(function* (
  originals: OriginalMessages,
  account: AccountId,
  request: SendRequest,
): Effect.fn.Return<AnsweredMessage, MailboxAccessError | InputInvalid | MessageTooLarge> {
  const { replyToMessageId, forwardOf } = request;
  if (replyToMessageId !== undefined && forwardOf !== undefined) {
    return yield* fault("forwardOf", "cannot go together with replyToMessageId");
  }
  if (replyToMessageId !== undefined) {
    const { locator, reader } = originals;
    const fields = yield* locator
      .withMessage(account, replyToMessageId, ({ place }) =>
        Effect.map(Effect.scoped(reader.open(account, place)), ({ header }) => ({
          isAutomatic: isAutomaticHeader(header),
          ...answerFields(header),
        })),
      )
      .pipe(Effect.catchTag("MessageNotFound", () => fault("replyToMessageId", UNKNOWN)));
    return { ...fields, attachments: [] };
  }
  if (forwardOf === undefined) return NOTHING;
  const attachments = yield* carryForwarded(originals, account, request, forwardOf).pipe(
    Effect.catchTag("MessageNotFound", () => fault("forwardOf", UNKNOWN)),
  );
  return { ...NOTHING, attachments };
});

/** Stores the files of a forwarded message as uploads. */
const carryForwarded = (originals: OriginalMessages, account: AccountId, request: SendRequest, id: string) =>
  originals.locator.withMessage(account, id, ({ place }) =>
    Effect.gen(function* () {
      const { structure } = yield* Effect.scoped(originals.reader.open(account, place));
      const parts = structure === null ? [] : carriedParts(structure, request.html ?? "");
      return yield* carryFiles(originals, account, place, parts, MAX_ATTACHMENTS - (request.attachments?.length ?? 0));
    }),
  );

/** Marks the original message as answered; a failure is only logged. */
export const markAnswered = (
  locator: MessageLocator["Service"],
  changes: MessageChanges["Service"],
  account: AccountId,
  { replyToMessageId: id }: SendRequest,
): Effect.Effect<void> =>
  id === undefined
    ? Effect.void
    : locator
        .withMessage(account, id, ({ place }) =>
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

const UNKNOWN = "must be the id of a message of this account";

const fault = (field: string, message: string) => Effect.fail(new InputInvalid({ errors: [{ field, message }] }));

/** Returns the attachments, and the inline images that the new HTML shows. */
const carriedParts = (structure: BodyPart, html: string): ReadonlyArray<BodyPart> => {
  const bodies = new Set(chooseBodies(structure).map(({ part }) => part));
  return leavesOf(structure).filter(
    (part) =>
      !bodies.has(part) &&
      (part.disposition === "attachment" || part.contentId === null || html.includes(`cid:${part.contentId}`)),
  );
};

/**
 * Completes an answer or a forward from the original message (spec 12.4): adds a missing subject and text and, for an
 * answer, missing recipients. A request that is neither an answer nor a forward, or that lacks nothing, is returned
 * unchanged without asking the mail server.
 */
export const completeAnswer = Effect.fn("completeAnswer")(function* (
  messages: Messages["Service"],
  account: AccountId,
  request: SendRequest,
): Effect.fn.Return<SendRequest, InputInvalid | MailboxAccessError> {
  const { replyToMessageId, forwardOf, to, subject, text, html } = request;
  const isReply = replyToMessageId !== undefined;
  const id = replyToMessageId ?? forwardOf;
  const lacksText = text === undefined && html === undefined;
  const isComplete = subject !== undefined && !lacksText && (to !== undefined || !isReply);
  if (id === undefined || isComplete || (isReply && forwardOf !== undefined)) return request;

  const field = isReply ? "replyToMessageId" : "forwardOf";
  const { summary, parsed } = yield* Effect.catchTag(
    messages.read(account, id),
    "MessageNotFound",
    () => new InputInvalid({ errors: [{ field, message: "must be the id of a message of this account" }] }),
  );
  const original = Result.getOrElse(parsed, () => ({ headers: [], text: "" }));
  const [subjectOf, textOf] = isReply ? [replySubject, answerText] : [forwardSubject, forwardText];
  return {
    from: request.from,
    to: to ?? (isReply ? replyRecipients(account, summary, original.headers) : undefined),
    cc: request.cc,
    bcc: request.bcc,
    replyTo: request.replyTo,
    subject: subject ?? subjectOf(summary.subject),
    text: lacksText ? textOf(summary, original.text) : text,
    html,
    attachments: request.attachments,
    inReplyTo: request.inReplyTo,
    references: request.references,
    headers: request.headers,
    unsubscribe: request.unsubscribe,
    trackOpens: request.trackOpens,
    replyToMessageId,
    forwardOf,
    force: request.force,
    sendAt: request.sendAt,
    expiresAfter: request.expiresAfter,
  } satisfies Record<keyof SendRequest, unknown>;
});
