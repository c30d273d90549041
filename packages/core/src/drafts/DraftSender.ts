import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { answerOf, checkSendKey, receiptOf, type SendError, type SendReceipt } from "../send/neighbours.ts";
import {
  MessageSender,
  type MessageTooLarge,
  type OutgoingMessage,
  SendInProgress,
  type SendingKey,
} from "../send/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { Draft } from "./Draft.ts";
import { requestOf } from "./draft-request.ts";
import { checkTime, outgoingOf, handOver, isWanted } from "./draft-state.ts";
import { DraftChanged, DraftNotFound } from "./errors.ts";
import { draftStore, endOfVersion, findDraft, followDraft, openDraft } from "./open-draft.ts";

/** How long a repeated request waits for the answer to the first request, and how often it checks. */
const PATIENCE = Duration.seconds(15);
const CHECK_INTERVAL = Duration.millis(200);

/** Sends drafts, each version once (spec 12.1). */
export class DraftSender extends Context.Service<
  DraftSender,
  {
    /**
     * Hands a draft to the journal of outgoing messages in one transaction, and returns the receipt as `MessageSender`
     * does. During and after sending, a repeated call returns the receipt of the first call. If `version` is given and
     * not current, fails with `DraftChanged`. `within` runs in the transaction that hands the draft over.
     */
    readonly send: <E = never>(
      account: AccountId,
      id: string,
      version: string | undefined,
      key: string | undefined,
      by?: SendingKey | null,
      within?: (message: OutgoingMessage) => Effect.Effect<void, E | StoreUnavailable>,
    ) => Effect.Effect<
      SendReceipt,
      SendError | MailboxAccessError | DraftNotFound | DraftChanged | MessageTooLarge | E
    >;
  }
>()("@postern/core/drafts/DraftSender") {
  static readonly layer = Layer.effect(
    DraftSender,
    Effect.gen(function* () {
      const store = yield* draftStore;
      const sender = yield* MessageSender;
      const { records, journal } = store;

      /** Returns the receipt of a draft's outgoing message once its first attempt has an outcome. */
      const awaitReceipt = Effect.fnUntraced(function* (account: AccountId, outgoingId: string) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(PATIENCE);
        for (;;) {
          const now = yield* Clock.currentTimeMillis;
          const entry = yield* journal.find(account, outgoingId, now);
          if (Option.isNone(entry)) return yield* new DraftNotFound();
          const answer = answerOf(entry.value.message);
          if (answer.outcome !== "queued" || !entry.value.leased || now >= until) {
            return yield* Effect.fromResult(receiptOf(answer));
          }
          yield* Effect.sleep(CHECK_INTERVAL);
        }
      });

      /** Hands over the version that was read; fails if the draft has changed since. */
      const take =
        <E>(
          { account, id, version }: Draft,
          within: (message: OutgoingMessage) => Effect.Effect<void, E | StoreUnavailable>,
        ) =>
        (message: OutgoingMessage) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis;
            const found = yield* records.change(account, id, (draft) =>
              handOver(draft, version, message.id, checkTime(message.scheduledFor ?? now, now)),
            );
            if (!Option.contains(found, true)) return yield* new DraftTaken();
            yield* within(message);
            yield* endOfVersion(store, { account, id });
            yield* recordOperation("drafts.send", { account, target: message.id });
          });

      const send = Effect.fn("DraftSender.send")(function* <E = never>(
        account: AccountId,
        id: string,
        wanted: string | undefined,
        key: string | undefined,
        by?: SendingKey | null,
        within: (message: OutgoingMessage) => Effect.Effect<void, E | StoreUnavailable> = () => Effect.void,
      ) {
        yield* checkSendKey({ "idempotency-key": key });
        const before = Option.getOrNull(yield* findDraft(store, account, id));
        const handed = before === null ? null : outgoingOf(before);
        if (handed !== null) {
          if (!isWanted(wanted, handed.version)) return yield* new DraftChanged();
          return yield* awaitReceipt(account, handed.id);
        }
        const { draft } = yield* openDraft(store, account, id);
        const outgoing = outgoingOf(draft);
        const version = outgoing?.version ?? draft.version;
        if (!isWanted(wanted, version)) return yield* new DraftChanged();
        if (outgoing !== null) return yield* awaitReceipt(account, outgoing.id);
        const sent = sender.send(account, requestOf(draft.contents), key, by, take(draft, within)).pipe(
          // The outcome of the first attempt is recorded before the answer, so that the next request finds the outcome.
          Effect.ensuring(
            records.find(account, draft.id).pipe(
              Effect.flatMap((found) => (Option.isSome(found) ? followDraft(store, found.value) : Effect.void)),
              Effect.ignore,
            ),
          ),
        );
        return yield* Effect.catch(sent, (error) =>
          Effect.gen(function* () {
            const isTaken = error instanceof DraftTaken;
            if (!isTaken && !(error instanceof SendInProgress))
              return yield* Effect.fail(error as Exclude<typeof error, DraftTaken>);
            const now = Option.getOrNull(yield* records.find(account, draft.id));
            if (now === null) return yield* new DraftNotFound();
            // The key may belong to a request to send this draft, or to a request for another draft.
            if (!isTaken && now.state === "draft") return yield* error;
            const taken = now.outgoing;
            // The message that the draft had before is that of an earlier sending, which was cancelled or failed.
            const isBefore = taken === null || taken.id === draft.outgoing?.id;
            if (isBefore || taken.version !== version) return yield* new DraftChanged();
            return yield* awaitReceipt(account, taken.id);
          }),
        );
      });

      return DraftSender.of({ send });
    }),
  );
}

/** Another request handed over or changed the draft while this request was prepared. */
class DraftTaken extends Schema.TaggedError<DraftTaken>()("DraftTaken", {}) {}
