import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { type AccountId, Entropy, type InputInvalid, type StoreUnavailable } from "../../shared/index.ts";
import { checkId } from "../../shared/neighbours.ts";
import { OutgoingNotCancellable, OutgoingNotFound, OutgoingNotReleasable, OutgoingNotWaiting } from "../errors.ts";
import { mayRelease, unhold } from "./held-message.ts";
import { commitTransition, transitionWriter } from "./commit-transition.ts";
import { LEASE } from "../limits.ts";
import type { MessageAuthor, OutgoingMessage } from "./OutgoingMessage.ts";
import { stateOf } from "./outgoing-state.ts";
import { cancel as cancelled, hasten } from "./outgoing-transitions.ts";
import { type JournalEntry, OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { replaceProbe } from "./server-probes.ts";

/** The number of messages in a listing. */
const MAX_LISTED = 200;

/** Lists, cancels, hastens and releases the outgoing messages of an account (spec 6). */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Newest first, at most 200. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreUnavailable>;
    /** Cancels a message that is queued, scheduled or held. */
    readonly cancel: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JournalEntry, InputInvalid | OutgoingNotFound | OutgoingNotCancellable | StoreUnavailable>;
    /** Makes the next attempt of a queued message now; nothing for one that is being sent. */
    readonly sendNow: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JournalEntry, InputInvalid | OutgoingNotFound | OutgoingNotWaiting | StoreUnavailable>;
    /** Releases a held message, which becomes one of the key that releases it; null for a person and the operator. */
    readonly release: (
      account: AccountId,
      id: string,
      by: MessageAuthor | null,
    ) => Effect.Effect<JournalEntry, InputInvalid | OutgoingNotFound | OutgoingNotReleasable | StoreUnavailable>;
  }
>()("@postern/core/send/outgoing/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const entropy = yield* Entropy;
      const writer = yield* transitionWriter;

      const releaseLease = (message: OutgoingMessage, token: string) =>
        commitTransition(writer, { message, changes: [] }, token, "release");

      const findEntry = Effect.fnUntraced(function* (account: AccountId, id: string, now: number) {
        const entry = yield* journal.find(account, id, now);
        return Option.isNone(entry) ? yield* new OutgoingNotFound() : entry.value;
      });

      const refuse = Effect.fnUntraced(function* (account: AccountId, id: string, now: number) {
        const { message, leased } = yield* findEntry(account, id, now);
        return yield* new OutgoingNotCancellable({ state: stateOf(message, leased) });
      });

      /** Claims a message of the outbox; none if a process works on it. */
      const claim = Effect.fnUntraced(function* (account: AccountId, id: string, now: number) {
        yield* checkId({ id });
        const entry = yield* journal.find(account, id, now);
        if (!Option.exists(entry, isListed)) return yield* new OutgoingNotFound();
        const token = yield* entropy.id(128);
        const lease = { token, until: now + Duration.toMillis(LEASE) };
        return { token, claimed: yield* journal.claimOne(account, id, now, lease) };
      });

      const cancel = Effect.fn("Outbox.cancel")(function* (account: AccountId, id: string) {
        const now = yield* Clock.currentTimeMillis;
        const { token, claimed } = yield* claim(account, id, now);
        if (Option.isNone(claimed)) return yield* refuse(account, id, now);
        const message = cancelled(claimed.value);
        yield* releaseLease(message, token);
        if (message === claimed.value) return yield* refuse(account, id, now);
        if (claimed.value.waitsFor !== undefined) yield* replaceProbe(journal, claimed.value.waitsFor);
        return { message, leased: false };
      }, Effect.uninterruptible);

      const sendNow = Effect.fn("Outbox.sendNow")(function* (account: AccountId, id: string) {
        const now = yield* Clock.currentTimeMillis;
        const { token, claimed } = yield* claim(account, id, now);
        if (Option.isSome(claimed)) {
          const message = hasten(claimed.value, now);
          yield* releaseLease(message, token);
          if (message !== claimed.value) return { message, leased: false };
        }
        const entry = yield* findEntry(account, id, now);
        const state = stateOf(entry.message, entry.leased);
        // It is due already, or its attempt runs.
        if (state === "queued" || state === "sending") return entry;
        return yield* new OutgoingNotWaiting({ state });
      }, Effect.uninterruptible);

      const release = Effect.fn("Outbox.release")(function* (account: AccountId, id: string, by: MessageAuthor | null) {
        const now = yield* Clock.currentTimeMillis;
        const { token, claimed } = yield* claim(account, id, now);
        if (Option.isNone(claimed)) return yield* new OutgoingNotReleasable({ detail: NOT_HELD });
        const message = claimed.value;
        const isHeld = message.heldSince !== undefined;
        const released = isHeld && mayRelease(message, by) ? unhold(message, by, now) : message;
        yield* releaseLease(released, token);
        if (released === message) return yield* new OutgoingNotReleasable({ detail: isHeld ? ANOTHERS : NOT_HELD });
        return { message: released, leased: false };
      }, Effect.uninterruptible);

      return Outbox.of({
        list: Effect.fn("Outbox.list")(function* (account) {
          const entries = yield* journal.list(account, yield* Clock.currentTimeMillis, MAX_LISTED);
          return entries.filter(isListed);
        }),
        cancel,
        sendNow,
        release,
      });
    }),
  );
}

/** Notices are Postern's own messages to the owner: not listed and not cancellable. */
const isListed = ({ message }: JournalEntry): boolean => message.kind !== "notice";

const NOT_HELD = "The message is not held. Read its state with GET /api/outbox.";
const ANOTHERS =
  "The message was asked for by another application. A key of that application, the account's owner or the operator can release it.";
