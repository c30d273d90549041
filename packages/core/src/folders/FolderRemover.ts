import { Clock, Context, Deferred, Duration, Effect, Layer, Option } from "effect";
import { CredentialRelease } from "../auth/index.ts";
import { isRefused, type MailboxAccessError, MailServerError } from "../mail/index.ts";
import { Entropy, type Lease, leasedWorker, type StoreUnavailable, type Worker } from "../shared/index.ts";
import type { FolderRemoval } from "./FolderRemoval.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { afterFailure, isGivenUp, restoring } from "./removal-failure.ts";
import { RemovalSettlement } from "./RemovalSettlement.ts";
import { type RemovalAttempt, RemovalSteps } from "./RemovalSteps.ts";

const LEASE = Duration.seconds(9);
const RENEW_EVERY = Duration.seconds(3);

/** How long a request waits for another that removes the same folder. */
const PATIENCE = Duration.seconds(30);

/** How long a repeated request is told how its removal ended. */
const KEPT = Duration.days(1);

/** Carries journaled removals out, from wherever they were left (spec 4.6). */
export class FolderRemover extends Context.Service<
  FolderRemover,
  {
    /**
     * Completes a removal and answers with how it ended; waits while another node is at it. None: it is gone. Fails where
     * the mail server refuses it, which is final where nothing was hidden yet.
     */
    readonly carryOut: (removal: FolderRemoval) => Effect.Effect<Option.Option<FolderRemoval>, MailboxAccessError>;
    /** Carries out what a crash, or a mail server that went away or refused it, left unfinished: one removal at a time. */
    readonly worker: Worker;
    /** Forgets removals that finished long ago. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/folders/FolderRemover") {
  static readonly layer = Layer.effect(
    FolderRemover,
    Effect.gen(function* () {
      const journal = yield* FolderRemovals;
      const entropy = yield* Entropy;
      const { release: releaseCredential } = yield* CredentialRelease;
      const steps = yield* RemovalSteps;
      const { hides, end, endRestored } = yield* RemovalSettlement;

      /** One attempt. `asked`: a request waits for the answer, so that no event need tell of a final refusal. */
      const attemptAt = Effect.fnUntraced(function* (begun: FolderRemoval, token: string, asked: boolean) {
        const now = yield* Clock.currentTimeMillis;
        const save = Effect.suspend(() => journal.save(attempt.removal, token)).pipe(
          Effect.filterOrFail(Boolean, () => taken(begun)),
          Effect.asVoid,
        );
        const attempt: RemovalAttempt = {
          removal: isGivenUp(begun, now) ? restoring(begun, now) : begun,
          hides: undefined,
          keep: () => save,
          completeCopiesTo: (path) => completeCopies(begun, path),
        };
        const ended = yield* steps
          .take(attempt)
          .pipe(
            Effect.tapError((error) => (isTaken(error) ? Effect.void : Effect.ignore(failed(attempt, error, asked)))),
          );
        if (ended._tag === "Removed") return attempt.removal;
        yield* endRestored(attempt.removal, ended.mailbox, save);
        return yield* notRemoved(attempt.removal);
      });

      /** Writes down what is to become of a removal after a failed attempt. */
      const failed = Effect.fnUntraced(function* (attempt: RemovalAttempt, error: MailboxAccessError, asked: boolean) {
        const { removal } = attempt;
        const failure = { refused: isRefusal(error), reason: reasonOf(error) };
        const hidden = attempt.hides ?? (failure.refused ? yield* hides(removal) : undefined);
        const next = afterFailure(removal, hidden, failure, yield* Clock.currentTimeMillis);
        if (next === undefined) {
          const told = asked && failure.refused && removal.phase === "hiding" ? undefined : failure.reason;
          return yield* end(removal, told, attempt.keep(removal));
        }
        attempt.removal = next;
        yield* attempt.keep(next);
      });

      /** Two removals that copy to one folder take turns: a copy is known by its looks, and would pass for the other's. */
      const completeCopies = Effect.fnUntraced(function* (
        { id, account }: FolderRemoval,
        to: string,
      ): Effect.fn.Return<void, MailboxAccessError> {
        for (const other of yield* journal.unfinished(account)) {
          if (other.id === id || other.batch === null || other.destination?.path !== to) continue;
          yield* Effect.catch(carry(other, false), (error) =>
            Effect.flatMap(journal.find(account, other.folderId), (left) =>
              Option.exists(left, ({ batch }) => batch !== null) ? Effect.fail(error) : Effect.void,
            ),
          );
        }
      });

      /** The removal is released where the attempt ended; the credential goes with it where nothing else needs it. */
      const giveBack = ({ id, account }: FolderRemoval, token: string) =>
        Effect.andThen(Effect.ignore(journal.release([id], token)), Effect.ignore(releaseCredential(account)));

      const worker = yield* leasedWorker<FolderRemoval>({
        name: "folder removals",
        rows: journal,
        idOf: ({ id }) => id,
        mostAtOnce: 1,
        lease: LEASE,
        renewEvery: RENEW_EVERY,
        // Where the store failed, the removal is claimed again once its lease expired, not at once.
        work: (removal, { token }) =>
          attemptAt(removal, token, false).pipe(
            Effect.catchIf(
              (error) => error._tag !== "StoreUnavailable",
              (error) => Effect.logWarning("a folder removal failed", removal.id, error._tag),
            ),
            Effect.andThen(giveBack(removal, token)),
            Effect.catch((error) => Effect.logWarning("a folder removal cannot be recorded", removal.id, error._tag)),
          ),
      });

      /** Attempts a removal under a lease of its own; none where another works on it. */
      const claimed = ({ id }: FolderRemoval, asked: boolean) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis;
            const lease: Lease = { token: yield* entropy.id(128), until: now + Duration.toMillis(LEASE) };
            const found = yield* journal.claimOne(id, now, lease);
            if (Option.isNone(found)) return Option.none();
            const removal = found.value;
            const ended = yield* Deferred.make<FolderRemoval, MailboxAccessError>();
            const attempt = attemptAt(removal, lease.token, asked).pipe(
              Effect.ensuring(giveBack(removal, lease.token)),
              Effect.onInterrupt(() => Deferred.fail(ended, taken(removal))),
              Effect.exit,
              Effect.flatMap((exit) => Deferred.done(ended, exit)),
            );
            yield* worker.adopt(id, lease, () => attempt);
            return Option.some(yield* restore(Deferred.await(ended)));
          }),
        );

      const carry = Effect.fnUntraced(function* (removal: FolderRemoval, asked: boolean) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(PATIENCE);
        for (;;) {
          // The worker that took it over has finished it or still works on it: look again.
          const ended = yield* Effect.catchIf(claimed(removal, asked), isTaken, () => Effect.succeedNone);
          if (Option.isSome(ended)) return ended;
          if (Option.isNone(yield* journal.find(removal.account, removal.folderId))) return Option.none();
          if ((yield* Clock.currentTimeMillis) > until) return yield* taken(removal);
          yield* Effect.sleep("200 millis");
        }
      });

      return FolderRemover.of({
        carryOut: Effect.fn("FolderRemover.carryOut")((removal: FolderRemoval) => carry(removal, true)),
        // An attempt goes on from the journal wherever it was interrupted, so a stop need not wait for it.
        worker: { ...worker, drain: () => worker.drain(Duration.zero) },
        sweep: Effect.flatMap(Clock.currentTimeMillis, (now) => journal.forgetFinished(now - Duration.toMillis(KEPT))),
      });
    }),
  ).pipe(Layer.provide([RemovalSteps.layer, RemovalSettlement.layer]));
}

const taken = (removal: FolderRemoval) =>
  new MailServerError({ reason: "busy", operation: "remove", detail: `removal ${removal.id} is worked on elsewhere` });

const isTaken = (error: MailboxAccessError): error is MailServerError =>
  error._tag === "MailServerError" && error.reason === "busy" && error.operation === "remove";

const notRemoved = ({ reason }: FolderRemoval) =>
  new MailServerError({ reason: "protocol", operation: "remove", detail: reason ?? "the folder was not removed" });

const isRefusal = (error: MailboxAccessError): boolean => error._tag === "MailServerError" && isRefused(error);

const reasonOf = (error: MailboxAccessError): string => {
  switch (error._tag) {
    case "MailServerError":
      return error.detail;
    case "MailboxCredentialsRejected":
      return "the mail server no longer accepts the password";
    default:
      return "the database did not answer";
  }
};
