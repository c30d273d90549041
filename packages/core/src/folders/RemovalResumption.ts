import { Clock, Effect, Layer, Option } from "effect";
import { CredentialRelease } from "../auth/index.ts";
import type { AccountId } from "../shared/index.ts";
import { FolderRemover } from "./FolderRemover.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";

/** The shortest and the longest pause between two passes, in milliseconds; leases run for less than the shortest. */
const SHORTEST_PAUSE = 10_000;
const LONGEST_PAUSE = 3_600_000;

/**
 * Carries out removals that a crash, or a mail server that went away or refused them, left unfinished: at start, and when
 * they are due. Their accounts' credentials go with them where nothing else needs those.
 */
export const RemovalResumption = Layer.effectDiscard(
  Effect.gen(function* () {
    const remover = yield* FolderRemover;
    const removals = yield* FolderRemovals;
    const { release: releaseCredential } = yield* CredentialRelease;

    const release = (accounts: Iterable<AccountId>) =>
      Effect.forEach(accounts, (account) => Effect.ignore(releaseCredential(account)), { discard: true });

    const pass = Effect.gen(function* () {
      const unfinished = yield* Effect.orElseSucceed(removals.unfinished, () => []);
      const due = yield* remover.resumeDue;
      yield* release(new Set(unfinished.map(({ account }) => account)));
      const now = yield* Clock.currentTimeMillis;
      const pause = Math.min(Option.getOrElse(due, () => Infinity) - now, LONGEST_PAUSE);
      const worked = yield* Effect.timeoutOption(remover.worked, Math.max(pause, SHORTEST_PAUSE));
      yield* release(Option.getOrElse(worked, () => []));
    });
    yield* Effect.forkScoped(Effect.forever(pass));
  }),
);
