import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { Script } from "../Script.ts";
import { ACCOUNTS } from "./accounts.ts";

const URLS = ["https://one.sim.test/in", "https://two.sim.test/in"];

/** Gives each account an endpoint. */
export const createEndpoints = (cluster: Cluster): void => {
  for (const [number, account] of ACCOUNTS.entries()) {
    cluster.request(`endpoint of ${account}`, (services) =>
      Context.get(services, WebhookEndpoints).create(
        { _tag: "Account", account },
        {
          url: URLS[number]!,
          description: "",
          events: ["email.received", "email.sent", "email.failed", "email.bounced"],
          disablePolicy: "no_success",
          honourRetryAfter: false,
          ordered: cluster.random.chance(0.3),
          maxInFlight: 4,
        },
      ),
    );
  }
};

/** Receivers fail, hang and answer slowly for a while. */
export const receiverActs = (script: Script): void => {
  const { cluster } = script;
  const { random, receivers } = cluster;
  script.often(Math.ceil(script.minutes * 2), () => {
    const probability = () => (random.chance(0.5) ? 0 : random.next());
    receivers.behave(random.pick(URLS)!, {
      broken: probability(),
      silent: probability() / 3,
      cut: probability() / 2,
      slow: random.between(1, 2_000),
    });
  });
};
