import { Clock, Context, Duration, Effect, Latch, Layer, Option, Semaphore } from "effect";
import { OwnMoves } from "../arrivals/OwnMoves.ts";
import type { MailboxAccessError } from "../auth/MailboxAccessError.ts";
import type { AccountId } from "../shared/AccountId.ts";
import { MailServerError } from "../shared/MailServerError.ts";
import { Entropy } from "../shared/ports/Entropy.ts";
import type { FolderRemoval, RemovalDestination } from "./FolderRemoval.ts";
import {
  entered,
  finished,
  FIRST_ROUND,
  lookedInto,
  moved,
  moving,
  nextRound,
  nextStep,
  observed,
} from "./folder-removal-state.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { MailboxChanges } from "./ports/MailboxChanges.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";
import { renameMailboxes } from "./rename-mailboxes.ts";
import { renamePlan } from "./rename-plan.ts";
import { surveys } from "./survey.ts";

/** A lease outlasts this without being renewed; who works renews it three times as often. */
const LEASE = Duration.seconds(9);

/** How long a request waits for another that removes the same folder. */
const PATIENCE = Duration.seconds(30);

/** A mailbox that is still where it was after so many renamings will not go. */
const MOST_HIDINGS = 3;
const HIDE_AGAIN = Duration.millis(300);

/** Carries journaled removals out, from wherever they were left (decisions 4). */
export class FolderRemover extends Context.Service<
  FolderRemover,
  {
    /** Finishes a removal and answers with how it ended; waits while another node is at it. None: it is gone. */
    readonly carryOut: (removal: FolderRemoval) => Effect.Effect<Option.Option<FolderRemoval>, MailboxAccessError>;
    /** Finishes what it can of all that was left unfinished; what fails is left for the next time: true if nothing is. */
    readonly resumeAll: Effect.Effect<boolean>;
    /** Waits until a removal of this node was left unfinished. */
    readonly leftUnfinished: Effect.Effect<void>;
  }
>()("@postern/core/folders/FolderRemover") {
  static readonly layer = Layer.effect(
    FolderRemover,
    Effect.gen(function* () {
      const journal = yield* FolderRemovals;
      const tree = yield* MailboxTree;
      const changes = yield* MailboxChanges;
      const ownMoves = yield* OwnMoves;
      const survey = yield* surveys;
      const entropy = yield* Entropy;

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

      const work = Effect.fnUntraced(function* (begun: FolderRemoval, owner: string) {
        let removal = begun;
        const turn = yield* Semaphore.make(1);
        const save = Effect.suspend(() =>
          Effect.flatMap(lease(owner), (current) => journal.save(removal, current)),
        ).pipe(
          Effect.filterOrFail(Boolean, () => taken(begun)),
          Effect.asVoid,
        );
        const keep = (next: FolderRemoval) =>
          turn.withPermits(1)(
            Effect.suspend(() => {
              removal = next;
              return save;
            }),
          );
        const renewing = turn
          .withPermits(1)(save)
          .pipe(Effect.delay(Duration.millis(Duration.toMillis(LEASE) / 3)), Effect.forever);
        return yield* Effect.raceFirst(proceed(begun, keep), renewing);
      });

      const proceed = Effect.fnUntraced(function* (
        begun: FolderRemoval,
        keep: (next: FolderRemoval) => Effect.Effect<void, MailboxAccessError>,
      ) {
        if (begun.phase === "finished") return begun;
        let removal = begun;
        const become = (next: FolderRemoval) => {
          removal = next;
          return keep(next);
        };
        const { account } = removal;
        if (removal.destination !== null) {
          yield* become({ ...removal, destination: yield* destinationOf(removal, removal.destination) });
        }
        let rounds = FIRST_ROUND;
        let listed = yield* tree.list(account);
        if (removal.phase === "emptying") yield* become(observed(removal, listed));
        for (let hidings = 0; ;) {
          const step = nextStep(removal, rounds, listed);
          switch (step.do) {
            case "hide": {
              if (++hidings > MOST_HIDINGS) return yield* stuck(removal);
              const plan = renamePlan(listed, removal.path, removal.hiddenPath);
              listed = yield* renameMailboxes(tree, changes, account, plan).pipe(
                Effect.catchTag("FolderNotFound", () => tree.list(account)),
                // Some servers refuse a renaming while another session reads the mailbox.
                Effect.catchTag(["FolderExists", "FolderNameInvalid"], () =>
                  Effect.delay(tree.list(account), HIDE_AGAIN),
                ),
              );
              break;
            }
            case "enter":
              yield* become(entered(removal, listed));
              break;
            case "move": {
              const { id, path } = removal.destination!;
              const gone = Effect.succeed(0);
              if (removal.batch === null) yield* untilNoneIsCopied(removal, path);
              const batch = removal.batch ?? (yield* batchOf(account, step.from, path));
              if (batch !== null) {
                yield* Effect.catchTag(
                  ownMoves.expect(account, batch.mailbox, { upTo: batch.lastUid }, id),
                  ["FolderNotFound", "FolderNotSelectable"],
                  () => Effect.void,
                );
                yield* become(moving(removal, batch));
              }
              const count =
                batch === null
                  ? 0
                  : yield* Effect.catchTag(changes.moveBatch(account, batch, path), "FolderNotFound", () => gone);
              if (batch !== null) yield* become(moved(removal, count));
              rounds = lookedInto(rounds, step.from, batch === null);
              break;
            }
            case "look":
              rounds = nextRound(rounds);
              listed = yield* tree.list(account);
              break;
            case "remove":
              yield* Effect.catchTag(changes.remove(account, step.path), "FolderNotFound", () => Effect.void);
              listed = listed.filter(({ path }) => path !== step.path);
              break;
            case "finish":
              yield* become(finished(removal));
              return removal;
          }
        }
      });

      /** Finishes other copying to there first: where a copy is known by its looks, theirs would pass for ours. */
      const untilNoneIsCopied = Effect.fnUntraced(function* (
        { id, account }: FolderRemoval,
        to: string,
      ): Effect.fn.Return<void, MailboxAccessError> {
        for (const other of yield* journal.unfinished) {
          const isThere = other.account === account && other.batch !== null && other.destination?.path === to;
          if (isThere && other.id !== id) yield* carryOut(other);
        }
      });

      const batchOf = (account: AccountId, mailbox: string, to: string) =>
        Effect.map(
          Effect.catchTag(changes.nextBatch(account, mailbox, to), "FolderNotFound", () => Effect.succeedNone),
          Option.getOrNull,
        );

      /** The destination as it is called now, made again where it is gone: messages on their way must arrive. */
      const destinationOf = Effect.fnUntraced(function* (removal: FolderRemoval, wanted: RemovalDestination) {
        const { folders } = yield* survey(removal.account);
        const there =
          folders.find(({ id, selectable }) => id === wanted.id && selectable) ??
          folders.find(({ path, selectable }) => path === wanted.path && selectable);
        if (there !== undefined) return { id: there.id, path: there.path };
        yield* changes.create(removal.account, wanted.path).pipe(
          Effect.catchTag("FolderExists", () => Effect.void),
          Effect.catchTag("FolderNameInvalid", () => stuck(removal)),
        );
        const made = (yield* survey(removal.account)).folders.find(({ path }) => path === wanted.path);
        return { id: made?.id ?? wanted.id, path: wanted.path };
      });

      const left = yield* Latch.make();
      const carryOut: FolderRemover["Service"]["carryOut"] = Effect.fn("FolderRemover.carryOut")(
        function* (removal: FolderRemoval) {
          const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(PATIENCE);
          for (;;) {
            // Whoever took it over has finished it, or is at it: look again.
            const ended = yield* Effect.catchIf(claimed(removal, work), isTaken, () => Effect.succeedNone);
            if (Option.isSome(ended)) return ended;
            if (Option.isNone(yield* journal.find(removal.account, removal.folderId))) return Option.none();
            if ((yield* Clock.currentTimeMillis) > until) return yield* taken(removal);
            yield* Effect.sleep("200 millis");
          }
        },
        Effect.onError(() => left.open),
      );

      const resumeAll = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        yield* journal.forgetFinished(now - Duration.toMillis(Duration.days(1)));
        for (const removal of yield* journal.unfinished) {
          yield* claimed(removal, work).pipe(
            Effect.catch((error) =>
              Effect.logWarning("a folder removal is still to be finished", removal.id, error._tag),
            ),
          );
        }
        return (yield* journal.unfinished).length === 0;
      }).pipe(
        Effect.catch((error) => Effect.as(Effect.logWarning("folder removals cannot be looked up", error._tag), false)),
        Effect.withSpan("FolderRemover.resumeAll"),
      );

      return FolderRemover.of({ carryOut, resumeAll, leftUnfinished: Effect.andThen(left.close, left.await) });
    }),
  );
}

const taken = (removal: FolderRemoval) =>
  new MailServerError({ reason: "busy", operation: "remove", detail: `removal ${removal.id} is worked on elsewhere` });

const isTaken = (error: MailboxAccessError): error is MailServerError =>
  error._tag === "MailServerError" && error.reason === "busy" && error.operation === "remove";

const stuck = (removal: FolderRemoval) =>
  new MailServerError({
    reason: "protocol",
    operation: "rename",
    detail: `removal ${removal.id} cannot hide its folder`,
  });
