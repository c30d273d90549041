import { WrongKeys, type WrongKeyVerdict } from "@postern/core/auth";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";
import { dropOldTimes } from "../store/drop-old-times.ts";

/** Wrong keys, kept in memory. */
export const layer = Layer.effect(
  WrongKeys,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const recorded = yield* cell("wrong keys", HashMap.empty<string, ReadonlyArray<number>>());

    return WrongKeys.of({
      judge: ({ network, at }, since, verdictOf) =>
        recorded.modify((all): readonly [WrongKeyVerdict, typeof all] => {
          const moments = Option.getOrElse(HashMap.get(all, network), () => []);
          const verdict = verdictOf(moments.filter((one) => one > since));
          return [verdict, verdict._tag === "Count" ? HashMap.set(all, network, [...moments, at]) : all];
        }),
      removeOld: (before) => recorded.modify((all) => [undefined, dropOldTimes(all, before)]),
    });
  }),
);
