import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { recordOperation } from "../../audit/neighbours.ts";
import { CredentialRelease } from "../../auth/index.ts";
import { type AccountId, Entropy, type InputInvalid, type StoreUnavailable } from "../../shared/index.ts";
import { checkId, type Page, type PageRequest } from "../../shared/neighbours.ts";
import { OutgoingNotCancellable, OutgoingNotFound, OutgoingNotReleasable, OutgoingNotWaiting } from "../errors.ts";
import { isFinished, stateOf } from "./outgoing-state.ts";
import { cancel as cancelled, NOT_HELD, releasedBy } from "./holds.ts";
import { isListed, listOutgoing } from "./list-outgoing.ts";
import {
  type BulkChange,
  type BulkOutcome,
  bulkStores,
  changeAll,
  checkChosen,
  checkFilter,
  type ChosenMail,
} from "./change-all.ts";
import { commitTransition, transitionWriter } from "./commit-transition.ts";
import { LEASE } from "../limits.ts";
import type { MessageAuthor, OutgoingMessage } from "./OutgoingMessage.ts";
import { hasten } from "./outgoing-transitions.ts";
import { type JournalEntry, OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { replaceProbe } from "./server-probes.ts";

/** Lists, cancels, releases and immediately sends the outgoing messages of an account (spec 6). */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Returns a page of the messages, newest first. */
    readonly page: (
      account: AccountId,
      request: PageRequest & Pick<ChosenMail, "state" | "messageId" | "key">,
    ) => Effect.Effect<Page<JournalEntry>, InputInvalid | StoreUnavailable>;
    readonly find: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JournalEntry, InputInvalid | OutgoingNotFound | StoreUnavailable>;
    /** Returns a page of the messages of all accounts, newest first, for the operator. */
    readonly pageOfAll: (
      request: PageRequest & ChosenMail,
    ) => Effect.Effect<Page<JournalEntry>, InputInvalid | StoreUnavailable>;
    /** Holds, releases or cancels all waiting messages that match, over all accounts, for the operator. */
    readonly changeAll: (
      change: BulkChange,
      chosen: ChosenMail,
    ) => Effect.Effect<BulkOutcome, InputInvalid | StoreUnavailable>;
    /** Cancels a message that is queued, scheduled or held. */
    readonly cancel: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JournalEntry, InputInvalid | OutgoingNotFound | OutgoingNotCancellable | StoreUnavailable>;
    /** Makes the next attempt of a queued message now; no effect if the message is being sent. */
    readonly sendNow: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<JournalEntry, InputInvalid | OutgoingNotFound | OutgoingNotWaiting | StoreUnavailable>;
    /** Releases a held message. If the message's key was deleted, it then belongs to the releasing key, or to a person (null). */
    readonly release: (
      account: AccountId,
      id: string,
      by: MessageAuthor | "operator" | null,
    ) => Effect.Effect<JournalEntry, InputInvalid | OutgoingNotFound | OutgoingNotReleasable | StoreUnavailable>;
  }
>()("@postern/core/send/outgoing/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const entropy = yield* Entropy;
      const writer = yield* transitionWriter;
      const bulk = yield* bulkStores;
      const { release: releaseCredential } = yield* CredentialRelease;

      /** Saves the result of a request on a claimed message, and releases the lease; false without a change if the lease was lost. */
      const releaseLease = (
        operation: "send.cancel" | "send.sendNow" | "send.release",
        before: OutgoingMessage,
        message: OutgoingMessage,
        token: string,
      ) =>
        commitTransition(
          writer,
          { message, changes: [] },
          token,
          "release",
          message === before
            ? undefined
            : {
                within: Effect.andThen(
                  recordOperation(operation, { account: message.account, target: message.id }),
                  isFinished(message) ? releaseCredential(message.account) : Effect.void,
                ),
              },
        );

      const findEntry = Effect.fnUntraced(function* (account: AccountId, id: string, now: number) {
        const entry = yield* journal.find(account, id, now);
        return Option.isNone(entry) ? yield* new OutgoingNotFound() : entry.value;
      });

      const refuse = Effect.fnUntraced(function* (account: AccountId, id: string, now: number) {
        const { message, leased } = yield* findEntry(account, id, now);
        return yield* new OutgoingNotCancellable({ state: stateOf(message, leased) });
      });

      /** Claims a message of the outbox; none if another process works on it. */
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
        const isSaved = yield* releaseLease("send.cancel", claimed.value, message, token);
        if (!isSaved || message === claimed.value) return yield* refuse(account, id, now);
        if (claimed.value.waitsFor !== undefined) yield* replaceProbe(journal, claimed.value.waitsFor);
        return { message, leased: false };
      }, Effect.uninterruptible);

      const sendNow = Effect.fn("Outbox.sendNow")(function* (account: AccountId, id: string) {
        const now = yield* Clock.currentTimeMillis;
        const { token, claimed } = yield* claim(account, id, now);
        if (Option.isSome(claimed)) {
          const message = hasten(claimed.value, now);
          const isSaved = yield* releaseLease("send.sendNow", claimed.value, message, token);
          if (isSaved && message !== claimed.value) return { message, leased: false };
        }
        const entry = yield* findEntry(account, id, now);
        const state = stateOf(entry.message, entry.leased);
        // The message is already due, or its attempt is running.
        if (state === "queued" || state === "sending") return entry;
        return yield* new OutgoingNotWaiting({ state });
      }, Effect.uninterruptible);

      const release = Effect.fn("Outbox.release")(function* (
        account: AccountId,
        id: string,
        by: MessageAuthor | "operator" | null,
      ) {
        const now = yield* Clock.currentTimeMillis;
        const { token, claimed } = yield* claim(account, id, now);
        if (Option.isNone(claimed)) return yield* new OutgoingNotReleasable({ detail: NOT_HELD });
        const released = releasedBy(claimed.value, by, now);
        const message = typeof released === "string" ? claimed.value : released;
        const isSaved = yield* releaseLease("send.release", claimed.value, message, token);
        if (typeof released === "string") return yield* new OutgoingNotReleasable({ detail: released });
        if (!isSaved) return yield* new OutgoingNotReleasable({ detail: NOT_HELD });
        return { message: released, leased: false };
      }, Effect.uninterruptible);

      return Outbox.of({
        page: Effect.fn("Outbox.page")(function* (account, { cursor, limit, state, messageId, key }) {
          yield* checkFilter({ state, messageId, key });
          return yield* listOutgoing(journal, { account, state, messageId, key }, { cursor, limit });
        }),
        find: Effect.fn("Outbox.find")(function* (account, id) {
          yield* checkId({ id });
          const entry = yield* findEntry(account, id, yield* Clock.currentTimeMillis);
          return isListed(entry) ? entry : yield* new OutgoingNotFound();
        }),
        pageOfAll: Effect.fn("Outbox.pageOfAll")(function* ({ cursor, limit, ...chosen }) {
          yield* checkFilter(chosen);
          return yield* listOutgoing(journal, chosen, { cursor, limit });
        }),
        changeAll: Effect.fn("Outbox.changeAll")(function* (change, chosen) {
          yield* checkChosen(chosen);
          // The audit entry is written first, so that no message changes without an entry. Each slice is one
          // transaction.
          const { account, ...others } = chosen;
          const target = Object.values(others)
            .filter((one) => one !== undefined)
            .join(" ");
          yield* recordOperation(`operator.${change}`, account === undefined ? { target } : { account, target });
          return yield* changeAll(bulk, change, chosen, releaseCredential);
        }),
        cancel,
        sendNow,
        release,
      });
    }),
  );
}
