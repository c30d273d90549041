import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { DraftFollower } from "../src/drafts/DraftFollower.ts";
import { drafts } from "../src/drafts/neighbours.ts";
import { FolderRemover } from "../src/folders/index.ts";
import { folders } from "../src/folders/neighbours.ts";
import { send } from "../src/send/module.ts";
import { OutgoingWorker } from "../src/send/outgoing/OutgoingWorker.ts";

const worker = { runDue: Effect.succeed(0) } as never;

describe("the service runs", () => {
  it.effect("the worker of outgoing mail", () =>
    Effect.gen(function* () {
      expect(yield* send.workers).toEqual([worker]);
    }).pipe(Effect.provide(Layer.succeed(OutgoingWorker, worker))),
  );

  it.effect("the follower of drafts that are being sent", () =>
    Effect.gen(function* () {
      expect(yield* drafts.workers).toEqual([worker]);
    }).pipe(Effect.provide(Layer.succeed(DraftFollower, worker))),
  );

  it.effect("the worker of folders that are being removed, and forgets the old ones", () =>
    Effect.gen(function* () {
      const sweep = Effect.void;
      const remover = Layer.succeed(FolderRemover, { worker, sweep, carryOut: () => Effect.succeedNone });
      expect(yield* Effect.provide(folders.workers, remover)).toEqual([worker]);
      expect(yield* Effect.provide(folders.sweeps, remover)).toEqual([sweep]);
    }),
  );
});
