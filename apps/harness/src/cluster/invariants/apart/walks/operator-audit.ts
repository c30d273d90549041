import { Audit, AuditTrail } from "@postern/core/audit";
import { Context, Effect, type Result } from "effect";
import type { NodeServices } from "../../../nodes/NodeServices.ts";
import type { Visit } from "../../../Visit.ts";

/** The time between two entries, because entries of one instant have no order, and the number of entries that are compared. */
const APART = 10;
const COMPARED = 10;

/** Makes a request of the operator that the audit records; returns its answer, or its error. */
export const askAsOperator = <A, E>(
  visit: Visit,
  name: string,
  request: (services: Context.Context<NodeServices>) => Effect.Effect<A, E>,
): Effect.Effect<Result.Result<A, E>> =>
  Effect.result(
    visit.ask(name, (services) =>
      Effect.provideService(
        request(services),
        AuditTrail,
        Context.get(services, Audit).trailOf({ key: "admin", application: null }),
      ),
    ),
  );

/** Returns a model of the operator's entries in the audit: each change has one, and refused requests have none. */
export const operatorAudit = (visit: Visit) => {
  const promised: Array<string> = [];
  return {
    /** Notes that a request must have left an entry. */
    promise: (operation: string, target: string): Effect.Effect<void> =>
      Effect.andThen(
        Effect.sync(() => promised.push(`${operation} ${target}`)),
        visit.wait(APART),
      ),
    /** Compares the newest entries with the model. */
    compare: Effect.gen(function* () {
      const { items } = yield* visit.ask("audit", (services) =>
        Context.get(services, Audit).page({ limit: COMPARED }, { key: "admin", account: null }),
      );
      visit.same(
        items.map(({ operation, target }) => `${operation} ${target}`).toReversed(),
        promised.slice(-COMPARED),
        "the operator's changes in the audit",
      );
    }),
  };
};
