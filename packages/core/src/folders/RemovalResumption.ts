import { Effect, Layer } from "effect";
import { credentialRelease } from "../auth/credential-release.ts";
import { FolderRemover } from "./FolderRemover.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";

/**
 * Finishes removals that a crash, or a mail server that went away, left unfinished: at start, and from time to time. Their
 * accounts' credentials go with them where nothing else needs those.
 */
export const RemovalResumption = Layer.effectDiscard(
  Effect.gen(function* () {
    const remover = yield* FolderRemover;
    const removals = yield* FolderRemovals;
    const releaseCredential = yield* credentialRelease;

    const resume = Effect.gen(function* () {
      const unfinished = yield* Effect.orElseSucceed(removals.unfinished, () => []);
      const done = yield* remover.resumeAll;
      for (const account of new Set(unfinished.map(({ account }) => account))) {
        yield* Effect.ignore(releaseCredential(account));
      }
      return done;
    });

    const pass = Effect.flatMap(resume, (done) =>
      done
        ? Effect.andThen(Effect.raceFirst(Effect.sleep("1 hour"), remover.leftUnfinished), Effect.sleep("10 seconds"))
        : Effect.sleep("10 seconds"),
    );
    yield* Effect.forkScoped(Effect.forever(pass));
  }),
);
