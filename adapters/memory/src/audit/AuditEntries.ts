import { AuditEntries, type AuditEntry } from "@postern/core/audit";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";

/** The entries of the audit, kept in memory. */
export const layer = Layer.effect(
  AuditEntries,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const entries = yield* cell("audit entries", HashMap.empty<string, AuditEntry>());

    return AuditEntries.of({
      insert: (some) =>
        entries.modify((all) => [undefined, some.reduce((known, entry) => HashMap.set(known, entry.id, entry), all)]),
      list: ({ key, account, operations }, after, limit) =>
        Effect.map(entries.get, (all) =>
          [...HashMap.values(all)]
            .filter(
              (entry) =>
                (key === null || entry.key === key) &&
                (account === null || entry.account === account) &&
                (operations === null || operations.includes(entry.operation)) &&
                (after === undefined || isBefore(entry, { createdAt: after.at, id: after.id })),
            )
            .toSorted((one, other) => (isBefore(one, other) ? 1 : -1))
            .slice(0, limit),
        ),
      removeOld: (before, limit, only) =>
        entries.modify((all) => {
          const old = [...HashMap.values(all)]
            .filter(({ createdAt, operation }) => createdAt < before && (only?.includes(operation) ?? true))
            .slice(0, limit);
          return [
            old.length,
            HashMap.removeMany(
              all,
              old.map(({ id }) => id),
            ),
          ];
        }),
    });
  }),
);

type Place = Pick<AuditEntry, "createdAt" | "id">;

const isBefore = (one: Place, other: Place): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);
