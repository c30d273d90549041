import type { OperatorOutgoingItem, OutgoingItem } from "@postern/api";
import {
  type JournalEntry,
  nextAttemptAt,
  type OutgoingMessage,
  replyStatus,
  replyText,
  stateOf,
} from "@postern/core/send";
import type { OpaqueIds } from "@postern/core/shared";
import { instantOf, instantOrNull } from "./instant-of.ts";

const recipientsOf = ({ recipients }: OutgoingMessage) =>
  recipients.map(({ address, state, reply }) => ({
    address,
    state: state === "dot" ? ("sending" as const) : state,
    status: reply === null ? null : replyStatus(reply),
    detail: reply === null ? null : replyText(reply),
  }));

/** Returns a message of the outbox for an answer. */
export const outgoingItem = ({ message, leased }: JournalEntry): typeof OutgoingItem.Type => ({
  id: message.id,
  messageId: message.messageId,
  providerMessageId: message.providerMessageId ?? null,
  state: stateOf(message, leased),
  key: message.author?.key ?? null,
  application: message.author?.application ?? null,
  subject: message.subject,
  to: message.to,
  cc: message.cc,
  recipients: recipientsOf(message),
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

/** Returns a message for the operator, without its contents. */
export const operatorItem = (
  { message, leased }: JournalEntry,
  ids: OpaqueIds["Service"],
): typeof OperatorOutgoingItem.Type => ({
  id: message.id,
  messageId: message.messageId,
  account: { id: ids.accountId(message.account), email: message.account },
  key: message.author?.key ?? null,
  application: message.author?.application ?? null,
  state: stateOf(message, leased),
  heldAt: instantOrNull(message.heldSince ?? null),
  heldBy: message.heldSince === undefined ? null : (message.heldBy ?? "key_deleted"),
  from: message.from,
  recipients: recipientsOf(message),
  createdAt: instantOf(message.createdAt),
  sendAt: instantOrNull(message.scheduledFor),
  attempts: message.step,
  nextAttemptAt: instantOrNull(nextAttemptAt(message)),
  failure: message.failure,
});
