import { Clock, Context, Duration, Effect, Latch, Layer, Option, Semaphore } from "effect";
import { isRefused, type MailboxAccessError, MailServerError } from "../mail/index.ts";
import { type AccountId, Entropy } from "../shared/index.ts";
import type { FolderRemoval } from "./FolderRemoval.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { afterFailure, isGivenUp, restoring } from "./removal-failure.ts";
import { RemovalSettlement } from "./RemovalSettlement.ts";
import { type RemovalAttempt, RemovalSteps } from "./RemovalSteps.ts";

/** A lease outlasts this without being renewed; who works renews it three times as often. */
const LEASE = Duration.seconds(9);

/** How long a request waits for another that removes the same folder. */
const PATIENCE = Duration.seconds(30);

/** Carries journaled removals out, from wherever they were left (spec 4.6). */
export class FolderRemover extends Context.Service<
  FolderRemover,
  {
    /**
     * Completes a removal and answers with how it ended; waits while another node is at it. None: it is gone. Fails where
     * the mail server refuses it, which is final where nothing was hidden yet.
     */
    readonly carryOut: (removal: FolderRemoval) => Effect.Effect<Option.Option<FolderRemoval>, MailboxAccessError>;
    /** Carries out what is due of all that was left unfinished; answers with when the next is due (epoch ms), if any is. */
    readonly resumeDue: Effect.Effect<Option.Option<number>>;
    /** Waits until this node has worked on a removal, and answers with the accounts whose removals it worked on. */
    readonly worked: Effect.Effect<ReadonlyArray<AccountId>>;
  }
>()("@postern/core/folders/FolderRemover") {
  static readonly layer = Layer.effect(
    FolderRemover,
    Effect.gen(function* () {
      const journal = yield* FolderRemovals;
      const entropy = yield* Entropy;
      const steps = yield* RemovalSteps;
      const { hides, end, endRestored } = yield* RemovalSettlement;
      const accounts = new Set<AccountId>();
      const workedLatch = yield* Latch.make();

      const lease = (owner: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => ({ owner, until: now + Duration.toMillis(LEASE) }));

      /** The removal is ours for as long as `work` takes; none where another works on it. */
      const claimed = <A, E>(
        { id }: FolderRemoval,
        work: (removal: FolderRemoval, owner: string) => Effect.Effect<A, E>,
      ) =>
        Effect.flatMap(entropy.id(128), (owner) =>
          Effect.acquireUseRelease(
            Effect.gen(function* () {
              return yield* journal.claim(id, yield* lease(owner), yield* Clock.currentTimeMillis);
            }),
            (claim) => Effect.transposeOption(Option.map(claim, (removal) => work(removal, owner))),
            () => Effect.ignore(journal.release(id, owner)),
          ),
        );

      /** One attempt. `asked`: somebody waits for the answer, so that no event need tell of a final refusal. */
      const work = (asked: boolean) =>
        Effect.fnUntraced(function* (begun: FolderRemoval, owner: string) {
          const now = yield* Clock.currentTimeMillis;
          const turn = yield* Semaphore.make(1);
          const save = Effect.suspend(() =>
            Effect.flatMap(lease(owner), (current) => journal.save(attempt.removal, current)),
          ).pipe(
            Effect.filterOrFail(Boolean, () => taken(begun)),
            Effect.asVoid,
          );
          const attempt: RemovalAttempt = {
            removal: isGivenUp(begun, now) ? restoring(begun, now) : begun,
            hides: undefined,
            keep: () => turn.withPermits(1)(save),
            completeCopiesTo: (path) => completeCopies(begun, path),
          };
          const renewing = turn
            .withPermits(1)(save)
            .pipe(Effect.delay(Duration.millis(Duration.toMillis(LEASE) / 3)), Effect.forever);
          const ended = yield* Effect.raceFirst(steps.take(attempt), renewing).pipe(
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
        for (const other of yield* journal.unfinished) {
          const isThere = other.account === account && other.batch !== null && other.destination?.path === to;
          if (!isThere || other.id === id) continue;
          yield* Effect.catch(carry(other, false), (error) =>
            Effect.flatMap(journal.find(account, other.folderId), (left) =>
              Option.exists(left, ({ batch }) => batch !== null) ? Effect.fail(error) : Effect.void,
            ),
          );
        }
      });

      const carry = Effect.fnUntraced(function* (removal: FolderRemoval, asked: boolean) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(PATIENCE);
        for (;;) {
          // The worker that took it over has finished it or still works on it: look again.
          const ended = yield* Effect.catchIf(claimed(removal, work(asked)), isTaken, () => Effect.succeedNone);
          if (Option.isSome(ended)) return ended;
          if (Option.isNone(yield* journal.find(removal.account, removal.folderId))) return Option.none();
          if ((yield* Clock.currentTimeMillis) > until) return yield* taken(removal);
          yield* Effect.sleep("200 millis");
        }
      });

      const carryOut = Effect.fn("FolderRemover.carryOut")((removal: FolderRemoval) =>
        Effect.ensuring(
          carry(removal, true),
          Effect.suspend(() => {
            accounts.add(removal.account);
            return workedLatch.open;
          }),
        ),
      );

      const resumeDue = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        yield* journal.forgetFinished(now - Duration.toMillis(Duration.days(1)));
        for (const removal of yield* journal.unfinished) {
          if (removal.dueAt > now) continue;
          yield* claimed(removal, work(false)).pipe(
            Effect.catch((error) => Effect.logWarning("a folder removal failed", removal.id, error._tag)),
          );
        }
        const left = yield* journal.unfinished;
        return left.length === 0 ? Option.none() : Option.some(Math.min(...left.map(({ dueAt }) => dueAt)));
      }).pipe(
        Effect.catch((error) =>
          Effect.andThen(
            Effect.logWarning("folder removals cannot be looked up", error._tag),
            Effect.asSome(Clock.currentTimeMillis),
          ),
        ),
        Effect.withSpan("FolderRemover.resumeDue"),
      );

      const worked = Effect.andThen(
        workedLatch.await,
        Effect.suspend(() => {
          const all = [...accounts];
          accounts.clear();
          return Effect.as(workedLatch.close, all);
        }),
      );

      return FolderRemover.of({ carryOut, resumeDue, worked });
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
