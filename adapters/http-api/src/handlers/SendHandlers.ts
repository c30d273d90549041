import { type OutgoingItem, PosternApi } from "@postern/api";
import {
  type JournalEntry,
  nextAttemptAt,
  Outbox,
  replyStatus,
  replyText,
  MessageSender,
  stateOf,
} from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount, currentKey } from "../auth/current-principal.ts";
import { instantOf, instantOrNull } from "../wire/instant-of.ts";

/** Handlers of the sending and outbox operations (spec 6). */
export const SendHandlers = handlerGroup(
  PosternApi,
  "send",
  Effect.fn(function* (handlers) {
    const sending = yield* MessageSender;
    const outbox = yield* Outbox;
    return handlers.handleAll({
      send: ({ payload, headers }) =>
        Effect.all([currentAccount, currentKey]).pipe(
          Effect.flatMap(([account, key]) => answer(sending.send(account, payload, headers["idempotency-key"], key))),
          Effect.map((receipt) => ({ ok: true as const, ...receipt })),
        ),
      list: () =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(outbox.list(account))),
          Effect.map((entries) => ({ ok: true as const, data: entries.map(itemOf), nextCursor: null })),
        ),
      cancel: ({ params }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(outbox.cancel(account, params.id))),
          Effect.map((entry) => ({ ok: true as const, data: itemOf(entry) })),
        ),
      sendNow: ({ params }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(outbox.sendNow(account, params.id))),
          Effect.map((entry) => ({ ok: true as const, data: itemOf(entry) })),
        ),
      release: Effect.fnUntraced(function* ({ params }) {
        const [account, key] = [yield* currentAccount, yield* currentKey];
        const by = key === null ? null : { key: key.id, application: key.application };
        const entry = yield* answer(outbox.release(account, params.id, by));
        return { ok: true as const, data: itemOf(entry) };
      }),
    });
  }),
);

const itemOf = ({ message, leased }: JournalEntry): typeof OutgoingItem.Type => ({
  id: message.id,
  messageId: message.messageId,
  providerMessageId: message.providerMessageId ?? null,
  state: stateOf(message, leased),
  subject: message.subject,
  to: message.to,
  cc: message.cc,
  recipients: message.recipients.map(({ address, state, reply }) => ({
    address,
    state: state === "dot" ? "sending" : state,
    status: reply === null ? null : replyStatus(reply),
    detail: reply === null ? null : replyText(reply),
  })),
  createdAt: instantOf(message.createdAt),
  sendAt: instantOrNull(message.scheduledFor),
  attempts: message.step,
  nextAttemptAt: instantOrNull(nextAttemptAt(message)),
  failure: message.failure,
  sentCopy: {
    state: message.copy.state,
    nextAttemptAt: instantOrNull(message.copy.at),
    failure: message.copy.failure ?? null,
  },
});
