import { Effect, Layer, Schedule } from "effect";
import { FolderRemover } from "./FolderRemover.ts";

/** Finishes removals that a crash, or a mail server that went away, left unfinished: at start, and from time to time. */
export const RemovalResumption = Layer.effectDiscard(
  Effect.gen(function* () {
    const remover = yield* FolderRemover;
    yield* Effect.forkScoped(Effect.repeat(remover.resumeAll, Schedule.spaced("10 seconds")));
  }),
);
