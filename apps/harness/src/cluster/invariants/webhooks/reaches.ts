import { AccountChanges, AccountCreation, LiveEvents } from "@postern/core/lifecycle";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { PASSWORD } from "../../world/accounts.ts";
import { ownerOf, says } from "./owner-of.ts";

const EMAIL = "reached@sim.test";
/** The maximum time until an event is delivered, in milliseconds. */
const SOON = 6_000;

/**
 * A change of an account's tags is reported, by endpoints and by feeds, only to the applications that reach the account
 * after the change. [S7.9-6]
 */
export const reaches: Invariant = {
  name: "reaches",
  watch: (cluster) => ({ calm: (visit) => changeTags(visit, cluster) }),
};

const changeTags = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    cluster.mail.addAccount(EMAIL, PASSWORD);
    const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
    const tagged = { email: EMAIL, name: null, secret, tags: ["left"], imap: null, smtp: null };
    const { id: account } = yield* visit.ask("manage", (services) =>
      Context.get(services, AccountCreation).create(tagged, null),
    );
    const { arrive, posts } = ownerOf(visit, cluster, account);
    const sides = yield* Effect.forEach(["left", "right"], (side) =>
      Effect.gen(function* () {
        const [application, reach] = [`reaching ${side}`, [`tag:${side}`]];
        const url = `https://visit.sim.test/${side}`;
        yield* visit.ask("create an endpoint", (services) =>
          Context.get(services, WebhookEndpoints).create(
            { _tag: "Application", application, reach, notify: null },
            { url, events: ["email.received"] },
          ),
        );
        const read = (after?: string) =>
          visit.ask("read the feed", (services) =>
            Context.get(services, LiveEvents).readFeed({ after }, Effect.succeed({ reach, application })),
          );
        const { next } = yield* read();
        return {
          side,
          url,
          told: Effect.map(read(next), ({ events }) => events.map((event) => dataOf(event, "messageId"))),
        };
      }),
    );
    for (const now of ["left", "right", "left"]) {
      yield* visit.ask(`tag ${now}`, (services) =>
        Context.get(services, AccountChanges).change(EMAIL, { tags: [now] }, null),
      );
      const messageId = arrive();
      const got = (url: string) => posts(url).filter(says(messageId)).length;
      const { url } = sides.find(({ side }) => side === now)!;
      yield* visit.within(
        SOON,
        "an arrival is not told to the application that reaches its account",
        () => got(url) === 1,
      );
      for (const one of sides) {
        const isReached = one.side === now;
        visit.same(got(one.url), isReached ? 1 : 0, `the POSTs about an account to ${one.side} while it is ${now}`);
        visit.same(
          (yield* one.told).includes(messageId),
          isReached,
          `whether the feed of ${one.side} has it while it is ${now}`,
        );
      }
    }
  });
