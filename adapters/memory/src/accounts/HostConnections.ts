import { HostConnections } from "@postern/core/accounts";
import { Effect, Layer, Option } from "effect";
import { Memory } from "../Memory.ts";

/** The moments of connections by host, latest first, kept in memory. */
export const layer = Layer.effect(
  HostConnections,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const state = yield* cell<ReadonlyMap<string, ReadonlyArray<number>>>(new Map());

    return HostConnections.of({
      reserve: (host, { connections, windowMillis }, now, latest) =>
        state.modify((hosts): readonly [Option.Option<number>, typeof hosts] => {
          const moments = hosts.get(host) ?? [];
          const blocking = moments[connections - 1];
          const turn = blocking === undefined ? now : Math.max(now, blocking + windowMillis);
          if (turn > latest) return [Option.none(), hosts];
          const kept = [turn, ...moments].toSorted((one, other) => other - one);
          return [
            Option.some(turn),
            new Map(hosts).set(
              host,
              kept.filter((at) => at > now - windowMillis),
            ),
          ];
        }),
      removeOld: (before) =>
        state.modify((hosts) => [
          undefined,
          new Map(
            [...hosts]
              .map(([host, moments]) => [host, moments.filter((at) => at >= before)] as const)
              .filter(([, moments]) => moments.length > 0),
          ),
        ]),
    });
  }),
);
