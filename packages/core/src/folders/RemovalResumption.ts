import { Effect, Layer } from "effect";
import { FolderRemover } from "./FolderRemover.ts";

/** Finishes removals that a crash, or a mail server that went away, left unfinished: at start, and from time to time. */
export const RemovalResumption = Layer.effectDiscard(
  Effect.gen(function* () {
    const remover = yield* FolderRemover;
    const pass = Effect.flatMap(remover.resumeAll, (done) =>
      done
        ? Effect.andThen(Effect.raceFirst(Effect.sleep("1 hour"), remover.leftUnfinished), Effect.sleep("10 seconds"))
        : Effect.sleep("10 seconds"),
    );
    yield* Effect.forkScoped(Effect.forever(pass));
  }),
);
