import { Audit, AuditTrail } from "@postern/core/audit";
import { type AccountId, OpaqueIds } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import type { Visit } from "../../../Visit.ts";

/** The time between two entries, because entries of one instant have no order, and the number of entries that are compared. */
const APART = 10;
const COMPARED = 50;

interface Promised {
  readonly operation: string;
  readonly ids: ReadonlyArray<string>;
}

/**
 * Returns requests of a session under its name, and a model of their entries in the audit: each change has one, and refused
 * requests have none. [S8.7-1] [S8.7-4] [S8.7-5]
 */
export const auditOf = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const promised: Array<Promised> = [];
  const id = Context.get(cluster.wiring.outside, OpaqueIds).accountId(account);
  return {
    /** Makes the operations of a request be recorded. */
    as: <A, E, R>(services: Context.Context<Audit>, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.provideService(
        request,
        AuditTrail,
        Context.get(services, Audit).trailOf({ key: null, application: null }),
      ),
    /** Notes that a request must have left an entry. */
    promise: (operation: string, ...ids: ReadonlyArray<string>): Effect.Effect<void> =>
      Effect.andThen(
        Effect.sync(() => promised.push({ operation, ids })),
        visit.wait(APART),
      ),
    /** Compares the newest entries with the model; `count` is less if other requests leave entries, too. */
    compare: Effect.fnUntraced(function* (count = COMPARED) {
      const { items } = yield* visit.ask("audit", (services) =>
        Context.get(services, Audit).page({ limit: count }, { key: null, account }),
      );
      const newest = promised.slice(-count).toReversed();
      visit.same(
        items.map(({ operation, target, ids }, n) => {
          const about = newest[n]?.ids ?? [];
          return [operation, ...about.filter((one) => target === one || ids.includes(one))].join(" ");
        }),
        newest.map(({ operation, ids }) => [operation, ...ids].join(" ")),
        `the audit of ${account}`,
      );
      visit.expect(
        items.every((one) => one.account === id && one.key === null && one.outcome === "done"),
        "an entry of the audit names another account, sender or outcome",
      );
    }),
  };
};
export type WalkedAudit = ReturnType<typeof auditOf>;
