import { type Message, type MessageAnswer, type MessageChange, PosternApi } from "@postern/api";
import { headerOf } from "@postern/core/mail";
import {
  authenticationResults,
  messageBatchOf,
  MessageActions,
  scopeOfAction,
  Messages,
  type ReadMessage,
  Search,
  cutHeader,
  splitQuoted,
} from "@postern/core/messages";
import { Effect, Result } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount, demandScope } from "../auth/current-principal.ts";
import { changedOf, emailOf } from "../wire/email-of.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { listing } from "../wire/listing.ts";
import { sendBytes } from "../downloads/send-bytes.ts";

/** Handlers of the message operations (spec 5). */
export const MessagesHandlers = handlerGroup(
  PosternApi,
  "messages",
  Effect.fn(function* (handlers) {
    const messages = yield* Messages;
    const actions = yield* MessageActions;
    const search = yield* Search;
    const { prefix } = yield* PublicAddress;
    return handlers.handleAll({
      read: ({ params: { id } }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(messages.read(account, id))),
          Effect.map((message) => listing<typeof MessageAnswer.Type>({ ok: true, data: messageOf(message, prefix) })),
        ),
      raw: ({ params: { id }, headers }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(Effect.flatMap(messages.raw(account, id), (bytes) => sendBytes(bytes, headers))),
          ),
        ),
      attachment: ({ params: { id, attachmentId }, headers }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(
              Effect.flatMap(messages.attachment(account, id, attachmentId), (bytes) => sendBytes(bytes, headers)),
            ),
          ),
        ),
      change: ({ params: { id }, payload }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(actions.change(account, id, flagsOf(payload), payload.folderId), "folderId"),
          ),
          Effect.map((changed) => ({ ok: true as const, data: changedOf(changed) })),
        ),
      remove: Effect.fnUntraced(function* ({ params: { id }, query }) {
        const account = yield* currentAccount;
        const isPermanent = query.permanent === "true";
        yield* demandScope(scopeOfAction(isPermanent ? "Destroy" : "Trash"));
        const { movedTo, outcomes } = yield* answer(actions.remove(account, id, isPermanent), "id");
        return {
          ok: true as const,
          data: { id, deleted: true as const, movedTo, newId: outcomes[0]?.newId ?? null },
        };
      }),
      batch: ({ payload }) =>
        Effect.gen(function* () {
          const account = yield* currentAccount;
          const { messages: wanted, action } = yield* answer(messageBatchOf(payload));
          yield* demandScope(scopeOfAction(action._tag));
          const found = wanted._tag === "Ids" ? Effect.succeed(wanted.ids) : search.ids(account, wanted.query);
          const ids = yield* answer(found, "query.folder");
          return yield* answer(actions.carryOut(account, ids, action), "change.folderId");
        }).pipe(
          Effect.map(({ movedTo, outcomes }) => ({
            ok: true as const,
            data: {
              movedTo,
              results: outcomes.map(({ id, found, newId }) => ({
                id,
                ok: found,
                newId,
                code: found ? null : ("message_not_found" as const),
              })),
            },
          })),
        ),
    });
  }),
);

const flagsOf = ({ unread, flagged, answered, addLabels, removeLabels }: typeof MessageChange.Type) => ({
  unread,
  flagged,
  answered,
  addLabels,
  removeLabels,
});

const messageOf = (message: ReadMessage, prefix: string): typeof Message.Type => {
  const { headers, text, html, blocked } = Result.getOrElse(message.parsed, () => NOTHING);
  const split = text === null ? null : splitQuoted(text);
  const listed = emailOf({ id: message.id, message: message.summary }, message.folder);
  return {
    ...listed,
    attachments: message.attachments,
    automatic: message.automatic,
    replyTo: cutHeader(headerOf(headers, "Reply-To")),
    inReplyTo: message.inReplyTo,
    references: message.references,
    headers: headers.map(([name, value]) => ({ name, value: cutHeader(value) })),
    text,
    newText: split?.newText ?? null,
    quotedText: split?.quotedText ?? null,
    html,
    authentication: authenticationResults(headers),
    blockedRemote: blocked,
    truncated: message.truncated || listed.truncated || headers.some(([, value]) => cutHeader(value) !== value),
    parsed: Result.isSuccess(message.parsed),
    parseFault: Result.isFailure(message.parsed) ? message.parsed.failure.reason : null,
    rawUrl: `${prefix}/api/messages/${message.id}/raw`,
  };
};

const NOTHING = { headers: [], text: null, html: null, blocked: 0 };
