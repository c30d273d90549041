import { LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ownerOf } from "../webhooks/owner-of.ts";

/** The wait of a request, in seconds, and the time until a message arrives, in milliseconds. */
const TIMEOUT = 20;
const ARRIVAL = 1_000;
const MESSAGES = 4;

/**
 * A chain of requests that wait for a message, each from the `next` of the previous one, returns each message once and
 * in order, whether one message arrives during a request or two between two requests; no request returns an earlier
 * message. [S5.6-2] [S5.6-4] [S5.6-7]
 */
export const awaitedMail: Invariant = {
  name: "awaited-mail",
  watch: (cluster) => ({ calm: (visit) => awaitMessages(visit, cluster) }),
};

const awaitMessages = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("awaiting");
    const { arrive } = ownerOf(visit, cluster, account);
    const arrived: Array<string> = [];
    const come = Effect.sync(() => void arrived.push(arrive()));
    const wait = (after?: string) =>
      visit.ask("wait for a message", (services) =>
        Context.get(services, LiveEvents).waitFor(account, { timeout: TIMEOUT, after }, Effect.void, Effect.never),
      );
    arrive();
    const found: Array<string | null | undefined> = [];
    let next: string | undefined;
    while (found.length < Math.max(MESSAGES, arrived.length)) {
      const isWaiting = arrived.length > found.length;
      const isBetween = found.length > 0 && !isWaiting && cluster.random.chance(0.5);
      if (isBetween) yield* Effect.andThen(come, come);
      const arrival = isWaiting || isBetween ? Effect.void : Effect.andThen(visit.wait(ARRIVAL), come);
      const [answer] = yield* Effect.all([wait(next), arrival], { concurrency: 2 });
      found.push(answer.message?.summary.messageId);
      ({ next } = answer);
    }
    visit.same(found, arrived, "the messages that a client waited for");
  });
