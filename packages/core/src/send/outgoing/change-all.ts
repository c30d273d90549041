import { Clock, Effect } from "effect";
import type { CredentialRelease } from "../../auth/index.ts";
import { inSlices, Transaction } from "../../shared/index.ts";
import { checkerOf } from "../../shared/neighbours.ts";
import { OutgoingJournal, type OutgoingFilter } from "../ports/OutgoingJournal.ts";
import { UploadRecords } from "../ports/UploadRecords.ts";
import { outboxRules } from "../rules.ts";
import { hold, obey, OPERATOR_CHANGES, releaseOf } from "./holds.ts";
import type { Asked, OutgoingMessage } from "./OutgoingMessage.ts";
import { isFinished } from "./outgoing-state.ts";
import { unmark } from "./outgoing-transitions.ts";
import { replaceProbe } from "./server-probes.ts";

/** An operator's action on all waiting messages that match a filter. */
export type BulkChange = Asked;

/** A filter whose given fields must all match; at least one field is given. */
export type ChosenMail = Pick<OutgoingFilter, "account" | "key" | "application" | "state" | "messageId">;

/** The numbers of changed messages and of messages being sent. */
export interface BulkOutcome {
  readonly messages: number;
  /** The number of messages that are being sent. The change applies after their attempts end, to the remaining recipients. */
  readonly sending: number;
}

/** The number of messages changed in one transaction. A transaction of this size takes a few milliseconds. Meanwhile, other work waits for the embedded database. */
const CHANGED_AT_ONCE = 100;

/** Checks the filters of messages to list or to change. */
export const checkFilter = checkerOf(outboxRules.fields);
export const checkChosen = checkerOf(outboxRules.fields, outboxRules.chosen);

/** The ports that change many messages. */
export const bulkStores = Effect.all({ journal: OutgoingJournal, uploads: UploadRecords, transaction: Transaction });

type BulkStores = Effect.Success<typeof bulkStores>;

/** Changes messages in slices of one transaction each. A failed call may have changed some messages and can be repeated. */
export const changeAll = Effect.fnUntraced(function* (
  stores: BulkStores,
  change: BulkChange,
  chosen: OutgoingFilter,
  /** Releases the credential of an account that may have no other unsent message. */
  release: CredentialRelease["Service"]["release"],
) {
  const now = yield* Clock.currentTimeMillis;
  return yield* changeEach(stores, chosen, change, (message) => OPERATOR_CHANGES[change](message, now), release);
});

/** Holds the messages of a suspended application, or releases them. A message that is being sent is held at its next attempt. */
export const setSuspended = Effect.fnUntraced(function* (
  stores: BulkStores,
  application: string,
  isSuspended: boolean,
) {
  const now = yield* Clock.currentTimeMillis;
  const change = (message: OutgoingMessage) =>
    isSuspended ? hold(message, now, "suspension") : releaseOf(message, "suspension", now);
  yield* changeEach(stores, { application }, undefined, change);
});

/** Changes the waiting messages of clients, slice by slice. */
const changeEach = Effect.fnUntraced(function* (
  { journal, uploads, transaction }: BulkStores,
  chosen: OutgoingFilter,
  asked: Asked | undefined,
  change: (message: OutgoingMessage) => OutgoingMessage,
  release: CredentialRelease["Service"]["release"] = () => Effect.void,
) {
  const outcome = { messages: 0, sending: 0 };
  let after = "";
  const slice = Effect.fnUntraced(function* (now: number) {
    const servers = new Set<string>();
    const changeOne = (message: OutgoingMessage, isSending: boolean) => {
      if (message.kind === "notice") return message;
      // A running attempt may still fail after the dot.
      const waiting = isSending ? unmark(message) : message;
      // A process that claimed the message with its pending order may be carrying the order out.
      const next = change(obey(waiting, now));
      if (next === waiting) return message;
      if (message.waitsFor !== undefined && next.waitsFor === undefined) servers.add(message.waitsFor);
      return next;
    };
    const done = yield* journal.changeSlice(chosen, changeOne, { after, limit: CHANGED_AT_ONCE, now, asked });
    const finished = done.changed.filter(isFinished);
    if (finished.length > 0) yield* uploads.unpin(finished.map(({ id }) => id));
    for (const server of servers) yield* replaceProbe(journal, server);
    for (const account of new Set(finished.map((message) => message.account))) yield* release(account);
    return done;
  });
  yield* inSlices(
    Effect.gen(function* () {
      const done = yield* transaction.run(slice(yield* Clock.currentTimeMillis));
      outcome.messages += done.changed.length;
      outcome.sending += done.asked;
      after = done.last ?? after;
      return done.last !== null;
    }),
  );
  return outcome satisfies BulkOutcome;
});
