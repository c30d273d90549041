import { findExcess, LOG_BOUNDS, ProtocolLogs } from "@postern/core/accounts";
import type { AccountId } from "@postern/core/shared";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

interface Batch {
  readonly at: number;
  readonly bytes: number;
  readonly lines: number;
  readonly texts: ReadonlyArray<string>;
}

interface Log {
  readonly until: number;
  /** Batches of lines, the newest first. */
  readonly batches: ReadonlyArray<Batch>;
}

/** Protocol logs, kept in memory; the nodes share them. */
export const layer = Layer.effect(
  ProtocolLogs,
  Effect.gen(function* () {
    const { cell, wake: wakeUp, listen } = yield* Memory;
    const logs = yield* cell("protocol logs", HashMap.empty<AccountId, Log>());
    const changed = yield* listen("protocol logs");
    const wake = wakeUp("protocol logs");

    return ProtocolLogs.of({
      start: (account, until) =>
        Effect.andThen(
          logs.modify((all) => {
            const { batches } = Option.getOrElse(HashMap.get(all, account), () => ({ batches: [] }));
            return [undefined, HashMap.set(all, account, { until, batches })];
          }),
          wake,
        ),
      listRunning: (now) =>
        Effect.map(logs.get, (all) =>
          [...all]
            .filter(([, { until }]) => until > now)
            .map(([account, { until }]) => ({ account, until }))
            .toSorted((one, other) => (one.account < other.account ? -1 : 1)),
        ),
      find: (account) => Effect.map(logs.get, (all) => Option.map(HashMap.get(all, account), ({ until }) => until)),
      append: (account, now, lines) =>
        logs.modify((all) => {
          const bytes = new TextEncoder().encode(lines.join("\n")).length;
          const batch = { at: now, bytes, lines: lines.length, texts: lines };
          const after = HashMap.modify(all, account, ({ until, batches }) => {
            const newestFirst = [batch, ...batches].toSorted((one, other) => other.at - one.at);
            const old = findExcess(newestFirst, LOG_BOUNDS).length;
            return { until, batches: newestFirst.slice(0, newestFirst.length - old) };
          });
          return [undefined, lines.length === 0 ? all : after];
        }),
      lines: (account) =>
        Effect.map(logs.get, (all) =>
          Option.match(HashMap.get(all, account), {
            onNone: () => [],
            onSome: ({ batches }) => batches.toReversed().flatMap(({ texts }) => texts),
          }),
        ),
      erase: Effect.fnUntraced(function* (account) {
        const existed = yield* logs.modify((all) => [HashMap.has(all, account), HashMap.remove(all, account)]);
        if (existed) yield* wake;
        return existed;
      }),
      removeEnded: (before) => logs.modify((all) => [undefined, HashMap.filter(all, ({ until }) => until >= before)]),
      changed,
    });
  }),
);
