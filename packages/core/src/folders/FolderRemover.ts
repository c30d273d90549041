import { Clock, Context, Deferred, Duration, Effect, Layer, Option } from "effect";
import { CredentialRelease } from "../auth/index.ts";
import { isRefused, type MailboxAccessError, MailServerError } from "../mail/index.ts";
import { type HeldLease, endUnlessHeld, leasedWorker, type Worker } from "../shared/neighbours.ts";
import { Entropy, type Lease, type StoreUnavailable } from "../shared/index.ts";
import type { FolderRemoval } from "./FolderRemoval.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { afterFailure, isGivenUp, startRestoring } from "./removal-failure.ts";
import { endRemoval, endRestoredRemoval, hidesMailboxes } from "./end-removal.ts";
import { folderWriter } from "./record-folders.ts";
import { removalPorts, type RemovalAttempt, takeSteps } from "./removal-steps.ts";

/** The lease of a removal. */
export const REMOVAL_LEASE = Duration.seconds(9);
const RENEW_EVERY = Duration.seconds(3);

/** How long a request waits while another worker removes the same folder. */
const PATIENCE = Duration.seconds(30);

/** How long a finished removal is kept to answer repeated requests. */
const KEPT = Duration.days(1);

/** Executes journaled removals from the step where they stopped (spec 4.6). */
export class FolderRemover extends Context.Service<
  FolderRemover,
  {
    /**
     * Executes a removal and returns it as finished; waits while another worker holds its lease. None if the removal no
     * longer exists. Fails if the mail server refuses; a refusal before the folder is hidden is final.
     */
    readonly carryOut: (removal: FolderRemoval) => Effect.Effect<Option.Option<FolderRemoval>, MailboxAccessError>;
    /** Resumes removals that a crash or a failing mail server left unfinished, one at a time. */
    readonly worker: Worker;
    /** Deletes old finished removals. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/folders/FolderRemover") {
  static readonly layer = Layer.effect(
    FolderRemover,
    Effect.gen(function* () {
      const journal = yield* FolderRemovals;
      const entropy = yield* Entropy;
      const { release: releaseCredential } = yield* CredentialRelease;
      const mailboxes = yield* removalPorts;
      const writer = { ...(yield* folderWriter), journal };

      /** Makes one attempt. `asked` means that a request waits for the result; a final refusal then raises no event. */
      const attemptAt = Effect.fnUntraced(function* (begun: FolderRemoval, held: HeldLease, asked: boolean) {
        const now = yield* Clock.currentTimeMillis;
        const save = Effect.suspend(() => journal.save(attempt.removal, held.token)).pipe(
          Effect.filterOrFail(Boolean, () => removalInProgress(begun)),
          Effect.asVoid,
        );
        const attempt: RemovalAttempt = {
          removal: isGivenUp(begun, now) ? startRestoring(begun, now) : begun,
          hides: undefined,
          keep: () => save,
          check: endUnlessHeld(held),
          completeCopiesTo: (path) => completeCopies(begun, path),
        };
        const ended = yield* Effect.tapError(takeSteps(mailboxes, attempt), (error) =>
          isBusyElsewhere(error) ? Effect.void : Effect.ignore(recordFailure(attempt, error, asked)),
        );
        if (ended._tag === "Removed") return attempt.removal;
        yield* endRestoredRemoval(writer, attempt.removal, ended.mailbox, save);
        return yield* removalFailed(attempt.removal);
      });

      /** Records the next state of a removal after a failed attempt. */
      const recordFailure = Effect.fnUntraced(function* (
        attempt: RemovalAttempt,
        error: MailboxAccessError,
        asked: boolean,
      ) {
        const { removal } = attempt;
        const failure = { refused: isRefusal(error), reason: reasonOf(error) };
        const hidden = attempt.hides ?? (failure.refused ? yield* hidesMailboxes(mailboxes.tree, removal) : undefined);
        const next = afterFailure(removal, hidden, failure, yield* Clock.currentTimeMillis);
        if (next === undefined) {
          const reported = asked && failure.refused && removal.phase === "hiding" ? undefined : failure.reason;
          return yield* endRemoval(writer, removal, reported, attempt.keep(removal));
        }
        attempt.removal = next;
        yield* attempt.keep(next);
      });

      /**
       * Completes other removals' batches to the same folder first. Copies are recognised by message properties, so two
       * removals that copy at the same time could confuse their copies.
       */
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

      /** Releases the removal's lease, and the credential if nothing else needs it. */
      const release = ({ id, account }: FolderRemoval, token: string) =>
        Effect.andThen(Effect.ignore(journal.release([id], token)), Effect.ignore(releaseCredential(account)));

      const worker = yield* leasedWorker<FolderRemoval>({
        name: "folder removals",
        rows: journal,
        idOf: ({ id }) => id,
        maxAtOnce: 1,
        lease: REMOVAL_LEASE,
        renewEvery: RENEW_EVERY,
        // If the store failed, the removal is reclaimed only when its lease expires.
        work: (removal, held) =>
          attemptAt(removal, held, false).pipe(
            Effect.catchIf(
              (error) => error._tag !== "StoreUnavailable",
              (error) => Effect.logWarning("folder removal failed", removal.id, error._tag),
            ),
            Effect.andThen(release(removal, held.token)),
            Effect.catch((error) =>
              Effect.logWarning(
                "folder removal not saved, it is reclaimed when its lease expires",
                removal.id,
                error._tag,
              ),
            ),
          ),
      });

      /** Attempts a removal under a new lease; none if another worker has it. */
      const attemptClaimed = ({ id }: FolderRemoval, asked: boolean) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis;
            const lease: Lease = { token: yield* entropy.id(128), until: now + Duration.toMillis(REMOVAL_LEASE) };
            const found = yield* journal.claimOne(id, now, lease);
            if (Option.isNone(found)) return Option.none();
            const removal = found.value;
            const ended = yield* Deferred.make<FolderRemoval, MailboxAccessError>();
            const attempt = (held: HeldLease) =>
              attemptAt(removal, held, asked).pipe(
                Effect.ensuring(release(removal, lease.token)),
                Effect.onInterrupt(() => Deferred.fail(ended, removalInProgress(removal))),
                Effect.exit,
                Effect.flatMap((exit) => Deferred.done(ended, exit)),
              );
            yield* worker.adopt(id, lease, attempt);
            return Option.some(yield* restore(Deferred.await(ended)));
          }),
        );

      const carry = Effect.fnUntraced(function* (removal: FolderRemoval, asked: boolean) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(PATIENCE);
        for (;;) {
          // Another worker took over the removal and has either finished it or still works on it.
          const ended = yield* Effect.catchIf(
            attemptClaimed(removal, asked),
            isBusyElsewhere,
            () => Effect.succeedNone,
          );
          if (Option.isSome(ended)) return ended;
          if (Option.isNone(yield* journal.find(removal.account, removal.folderId))) return Option.none();
          if ((yield* Clock.currentTimeMillis) > until) return yield* removalInProgress(removal);
          yield* Effect.sleep("200 millis");
        }
      });

      return FolderRemover.of({
        carryOut: Effect.fn("FolderRemover.carryOut")((removal: FolderRemoval) => carry(removal, true)),
        // A later attempt continues from the journal, so draining interrupts this one.
        worker: { ...worker, drain: () => worker.drain(Duration.zero) },
        sweep: Effect.flatMap(Clock.currentTimeMillis, (now) => journal.forgetFinished(now - Duration.toMillis(KEPT))),
      });
    }),
  );
}

const removalInProgress = (removal: FolderRemoval) =>
  new MailServerError({
    reason: "busy",
    operation: "remove",
    detail: `removal ${removal.id} is in progress in another worker`,
  });

const isBusyElsewhere = (error: MailboxAccessError): error is MailServerError =>
  error._tag === "MailServerError" && error.reason === "busy" && error.operation === "remove";

const removalFailed = ({ reason }: FolderRemoval) =>
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
