import { UpgradeTasks } from "@postern/core/accounts";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";

/** The tasks that were done, kept in memory; the nodes share them. */
export const layer = Layer.effect(
  UpgradeTasks,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const done = yield* cell("upgrade tasks", HashMap.empty<string, true>());

    return UpgradeTasks.of({
      isDone: (name) => Effect.map(done.get, (all) => HashMap.has(all, name)),
      finish: (name) => done.modify((all) => [!HashMap.has(all, name), HashMap.set(all, name, true as const)]),
    });
  }),
);
