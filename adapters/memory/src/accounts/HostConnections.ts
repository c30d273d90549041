import { HostConnections } from "@postern/core/accounts";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";
import { dropOldTimes } from "../store/drop-old-times.ts";

/** The times at which connections to each host were opened, latest first, kept in memory. */
export const layer = Layer.effect(
  HostConnections,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const state = yield* cell("host connections", HashMap.empty<string, ReadonlyArray<number>>());

    return HostConnections.of({
      reserve: (host, { connections, windowMillis }, now, latest) =>
        state.modify((hosts): readonly [Option.Option<number>, typeof hosts] => {
          const moments = Option.getOrElse(HashMap.get(hosts, host), () => []);
          const blocking = moments[connections - 1];
          const turn = blocking === undefined ? now : Math.max(now, blocking + windowMillis);
          if (turn > latest) return [Option.none(), hosts];
          const kept = [turn, ...moments].toSorted((one, other) => other - one);
          return [
            Option.some(turn),
            HashMap.set(
              hosts,
              host,
              kept.filter((at) => at > now - windowMillis),
            ),
          ];
        }),
      removeOld: (before) => state.modify((hosts) => [undefined, dropOldTimes(hosts, before)]),
    });
  }),
);
