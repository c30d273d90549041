import { type AwaitedMessage, type Email, type MessageAnswer, type MessageChange, PosternApi } from "@postern/api";
import { TokenRejected } from "@postern/core/auth";
import { LiveEvents } from "@postern/core/lifecycle";
import { Inbox, messageBatchOf, MessageActions, scopeOfAction, Messages, Search } from "@postern/core/messages";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount, demandScope } from "../auth/current-principal.ts";
import { permissionNow } from "../auth/permission-now.ts";
import { changedEmailOf, emailOf } from "../wire/email-of.ts";
import { messageOf } from "../wire/message-of.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { Readiness } from "../edge/Readiness.ts";
import { listing } from "../wire/listing.ts";
import { sendBytes } from "../downloads/send-bytes.ts";

/** Handlers of the message operations (spec 5). */
export const MessagesHandlers = handlerGroup(
  PosternApi,
  "messages",
  Effect.fn(function* (handlers) {
    const inbox = yield* Inbox;
    const messages = yield* Messages;
    const actions = yield* MessageActions;
    const search = yield* Search;
    const live = yield* LiveEvents;
    const permission = yield* permissionNow;
    const { stopping } = yield* Readiness;
    const { prefix } = yield* PublicAddress;
    return handlers.handleAll({
      list: ({ query }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(inbox.listAccount(account, query), "folders")),
          Effect.map(({ emails, nextCursor }) =>
            listing<{ ok: true; data: ReadonlyArray<typeof Email.Type>; nextCursor: string | null }>({
              ok: true,
              data: emails.map((entry) => emailOf(entry, { id: entry.folderId, path: entry.path })),
              nextCursor,
            }),
          ),
        ),
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
          Effect.map((changed) => ({ ok: true as const, data: changedEmailOf(changed) })),
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
      wait: Effect.fnUntraced(function* ({ payload }) {
        const account = yield* currentAccount;
        const isAllowed = yield* permission("mail:read");
        const stillAllowed = Effect.flatMap(isAllowed, (is) =>
          is ? Effect.void : Effect.fail(new TokenRejected({ reason: "session_ended" })),
        );
        const { message, codes, links, next } = yield* answer(
          live.waitFor(account, payload, stillAllowed, stopping),
          "folders",
        );
        const data: typeof AwaitedMessage.Type | null = message && { ...messageOf(message, prefix), codes, links };
        return { ok: true as const, data, next };
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
