import { assert, layer } from "@effect/vitest";
import { UpgradeTasks } from "@postern/core/accounts";
import { Effect, type Layer } from "effect";

let tasks = 0;
const newTask = () => `task ${++tasks}`;

/** The contract of `UpgradeTasks`. */
export const upgradeTasksContract = (name: string, live: Layer.Layer<UpgradeTasks, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("a task is finished once, also by several at the same time", () =>
      Effect.gen(function* () {
        const { isDone, finish } = yield* UpgradeTasks;
        const [task, other] = [newTask(), newTask()];
        assert.isFalse(yield* isDone(task));
        const first = yield* Effect.all([finish(task), finish(task), finish(task)], { concurrency: "unbounded" });
        assert.lengthOf(
          first.filter((isFirst) => isFirst),
          1,
        );
        assert.deepStrictEqual([yield* isDone(task), yield* finish(task), yield* isDone(other)], [true, false, false]);
      }),
    );
  });
