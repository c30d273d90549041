import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { type AccountId, Entropy, type StoreUnavailable } from "../shared/index.ts";
import { OutgoingNotCancellable, OutgoingNotFound } from "./errors.ts";
import { LEASE } from "./limits.ts";
import { OutgoingCommits } from "./OutgoingCommits.ts";
import { stateOf } from "./outgoing-state.ts";
import { cancel as cancelled } from "./outgoing-transitions.ts";
import { type JournalEntry, OutgoingJournal } from "./ports/OutgoingJournal.ts";

/** The number of messages in a listing. */
const MOST_SHOWN = 200;

/** Lists and cancels the outgoing messages of an account (spec 6). */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Newest first, at most 200. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>;
    /** Cancels a message that is queued or scheduled. */
    readonly cancel: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JournalEntry, OutgoingNotFound | OutgoingNotCancellable | StoreUnavailable>;
  }
>()("@postern/core/send/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const { commit } = yield* OutgoingCommits;
      const entropy = yield* Entropy;

      const refuse = Effect.fnUntraced(function* (account: AccountId, id: string, now: number) {
        const entry = yield* journal.find(account, id, now);
        if (Option.isNone(entry)) return yield* new OutgoingNotFound();
        const { message, leased } = entry.value;
        return yield* new OutgoingNotCancellable({ state: stateOf(message, leased) });
      });

      const cancel = Effect.fn("Outbox.cancel")(function* (account: AccountId, id: string) {
        const now = yield* Clock.currentTimeMillis;
        const entry = yield* journal.find(account, id, now);
        if (Option.exists(entry, isNotice)) return yield* new OutgoingNotFound();
        const token = yield* entropy.id(128);
        const claimed = yield* journal.claimOne(account, id, now, { token, until: now + Duration.toMillis(LEASE) });
        if (Option.isNone(claimed)) return yield* refuse(account, id, now);
        const message = cancelled(claimed.value);
        yield* commit({ message, changes: [] }, token, "give back");
        return message === claimed.value ? yield* refuse(account, id, now) : { message, leased: false };
      }, Effect.uninterruptible);

      return Outbox.of({
        list: Effect.fn("Outbox.list")(function* (account) {
          const entries = yield* journal.list(account, yield* Clock.currentTimeMillis, MOST_SHOWN);
          return entries.filter((entry) => !isNotice(entry));
        }),
        cancel,
      });
    }),
  );
}

/** Notices are Postern's own messages to the owner: not listed and not cancellable. */
const isNotice = ({ message }: JournalEntry): boolean => message.kind === "notice";
