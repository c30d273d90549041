import { WrongKeys, type WrongKeyVerdict } from "@postern/core/auth";
import { Effect, Layer } from "effect";
import { Memory } from "../Memory.ts";

/** Wrong keys, kept in memory. */
export const layer = Layer.effect(
  WrongKeys,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const recorded = yield* cell<ReadonlyArray<{ readonly network: string; readonly at: number }>>([]);

    return WrongKeys.of({
      judge: ({ network, at }, since, verdictOf) =>
        recorded.modify((all): readonly [WrongKeyVerdict, typeof all] => {
          const earlier = all.filter((one) => one.network === network && one.at > since);
          const verdict = verdictOf(earlier.map((one) => one.at));
          return [verdict, verdict._tag === "Count" ? [...all, { network, at }] : all];
        }),
      removeOld: (before) => recorded.modify((all) => [undefined, all.filter(({ at }) => at >= before)]),
    });
  }),
);
