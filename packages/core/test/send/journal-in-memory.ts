import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { CredentialRelease, ServiceKeys } from "../../src/auth/index.ts";
import { EventPublisher } from "../../src/events/index.ts";
import {
  IdempotencyKeys,
  type JournalEntry,
  Outbox,
  OutgoingJournal,
  type OutgoingMessage,
  TrackedMessages,
  UploadRecords,
} from "../../src/send/index.ts";
import { hasRecipient } from "../../src/send/outgoing/outgoing-state.ts";
import { setSuspended } from "../../src/send/outgoing/change-all.ts";
import type { OutgoingFilter } from "../../src/send/ports/OutgoingJournal.ts";
import { AccountId, Transaction } from "../../src/shared/index.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";
import { outgoing } from "../outgoing.ts";

export const NOW = 1_900_000_000_000;
export const A = AccountId("a@x.test");
export const B = AccountId("b@x.test");

/** A journal with messages in the order of their ids. */
export class Journal {
  entries: ReadonlyArray<JournalEntry> = [];
  unpinned: Array<string> = [];
  released: Array<AccountId> = [];
  probed: Array<unknown> = [];
  asked: Array<unknown> = [];
  filters: Array<OutgoingFilter> = [];

  add(id: string, fields: Partial<OutgoingMessage> = {}, leased = false): this {
    const message = { ...outgoing(), id, account: A, attemptAt: NOW + 5, createdAt: this.entries.length, ...fields };
    this.entries = [...this.entries, { message, leased }];
    return this;
  }

  message(id: string): OutgoingMessage {
    return this.entries.find(({ message }) => message.id === id)!.message;
  }

  readonly ports = Layer.mergeAll(
    Layer.mock(OutgoingJournal, {
      changeSlice: (whose, change, { after, limit, now, asked }) =>
        Effect.sync(() => {
          this.asked.push([whose, after, limit, now, asked]);
          const slice = this.entries.filter(({ message }) => message.id > after).slice(0, limit);
          const changes = slice.map(({ message, leased }) => {
            const isSending = leased || hasRecipient(message, "dot");
            return { message, isSending, next: change(message, isSending) };
          });
          const isAsked = ({ asked: before }: OutgoingMessage) => asked !== undefined && before === asked;
          const altered = changes.filter(
            ({ message, isSending, next }) => message !== next && !(isSending && isAsked(message)),
          );
          const changed = altered.filter(({ isSending }) => !isSending).map(({ next }) => next);
          this.entries = this.entries.map((entry) => ({
            ...entry,
            message: changed.find(({ id }) => id === entry.message.id) ?? entry.message,
          }));
          const last = slice.length < limit ? null : slice.at(-1)!.message.id;
          return { changed, asked: altered.length - changed.length, last };
        }),
      changeWaiting: (whose, _, limit) => Effect.sync(() => (this.probed.push([whose, limit]), [])),
      list: (whose, _, limit, after) =>
        Effect.sync(() => {
          this.filters.push(whose);
          return this.entries
            .toReversed()
            .filter(({ message }) => after === undefined || message.createdAt < after.at)
            .slice(0, limit);
        }),
      find: (account, id) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(this.entries.find(({ message }) => message.id === id && message.account === account)),
        ),
    }),
    Layer.mock(UploadRecords, { unpin: (ids) => Effect.sync(() => void this.unpinned.push(...ids)) }),
    Layer.mock(CredentialRelease, { release: (account) => Effect.sync(() => void this.released.push(account)) }),
    Layer.mock(EventPublisher, {}),
    Layer.mock(TrackedMessages, {}),
    Layer.mock(IdempotencyKeys, {}),
    Layer.mock(ServiceKeys, {}),
    noTransaction,
    numberedIds,
    readableIds,
  );

  readonly use = <A, E>(use: (outbox: Outbox["Service"]) => Effect.Effect<A, E>) =>
    Effect.andThen(TestClock.setTime(NOW), Effect.flatMap(Outbox, use)).pipe(
      Effect.provide(Layer.provide(Outbox.layer, this.ports)),
    );

  readonly suspend = (isSuspended: boolean) =>
    Effect.gen({ self: this }, function* () {
      yield* TestClock.setTime(NOW);
      const stores = Effect.all({ journal: OutgoingJournal, uploads: UploadRecords, transaction: Transaction });
      yield* setSuspended(yield* Effect.provide(stores, this.ports), "app", isSuspended);
    });
}
