import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import { endNode } from "../../takeovers/StopPoint.ts";
import { clientOf } from "../../send/outbox-client.ts";
import { HOUR, SECOND } from "../durations.ts";
import type { Operator } from "./operator.ts";

const OWNER = { _tag: "Application", application: "interrupted", reach: null, notify: null } as const;

/** The ports that a suspension uses after the keys. */
const LATER = new Set(["OutgoingJournal", "Endpoints"]);

/** If the node of a suspension or of its end stops between two steps, a repeat does the rest. */
export const interruptSuspension = ({ visit, cluster, keys, make, present }: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const client = clientOf(visit, cluster, yield* visit.signUp("interrupted"));
    const { by, text } = yield* make("interrupted");
    const endpoints = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
    yield* endpoints((all) => all.create(OWNER, { url: "https://interrupted.sim.test/", events: ["account.added"] }));
    const sendAt = visit.now + HOUR;
    const { id } = yield* client.send("interrupted", { by, sendAt });
    const states = Effect.gen(function* () {
      const { items } = yield* endpoints((all) => all.page(OWNER, {}));
      return [yield* present(text), yield* client.state("interrupted"), items[0]?.endpoint.state];
    });
    const steps = [
      ["suspend", ["ApplicationSuspended", "held", "suspended"]],
      ["resume", ["accepted", "scheduled", "enabled"]],
    ] as const;
    for (const [step, promised] of steps) {
      let isStopped = false;
      let server: unknown;
      const see: (typeof cluster.listeners)[number] = ({ node, port, method }) => {
        if (port === "ServiceKeys" && method === step) server = node;
        if (isStopped || node !== server || !LATER.has(port)) return;
        isStopped = true;
        endNode(cluster, node);
      };
      cluster.listeners.push(see);
      yield* Effect.exit(keys((all) => all[step]("interrupted")));
      cluster.listeners.splice(cluster.listeners.indexOf(see), 1);
      visit.expect(isStopped, `no node stops in the step ${step}`);
      // The node starts again.
      yield* visit.wait(30 * SECOND);
      yield* keys((all) => all[step]("interrupted"));
      visit.same(
        yield* states,
        promised,
        `a key, a message and an endpoint after the step ${step} was interrupted and repeated`,
      );
    }
    yield* visit.skip(HOUR);
    yield* visit.wait(5 * SECOND);
    visit.same(client.copies(id, "interrupted"), 1, "the message of an application that was resumed");
  });
