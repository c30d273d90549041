import { AccountSessions, Authentication } from "@postern/core/auth";
import { LiveEvents } from "@postern/core/lifecycle";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { factsOf } from "../../Fact.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ownerOf } from "./owner-of.ts";

/** A time longer than a watch lasts without its stream, and the time between two arrivals, in milliseconds. */
const OPEN = 100_000;
const BETWEEN = 4_000;
/** The maximum time until an event is delivered, and until a stream ends after its session, in milliseconds. */
const SOON = 6_000;
const ENDS = 1_000;

/**
 * A browser that follows an account gets every event from its first connection on, once and in order. A stream of an
 * account without endpoints has each message that arrives while the stream is open, for any duration, and ends within a
 * second of its session. [S3.4-4] [S7.9-3] [S7.4-9]
 */
export const liveEvents: Invariant = {
  name: "live-events",
  watch: (cluster) => ({
    calm: (visit) => stayConnected(visit, cluster),
    quiet: () => {
      const { facts } = cluster;
      for (const { follower, account, id } of factsOf(facts, "FollowBegan")) {
        const all = eventsOf(cluster, account).map((event) => event.id);
        const began = /^\d+$/.test(id) ? Number(id) : all.indexOf(id) + 1;
        const due = all.slice(began);
        const seen = factsOf(facts, "EventSeen").flatMap((fact) => (fact.follower === follower ? [fact.id] : []));
        const wrong = due.findIndex((one, n) => one !== seen[n]);
        if (wrong >= 0) cluster.violate("live-events", `${follower} got ${seen[wrong]} instead of ${due[wrong]}`);
        else if (seen.length > due.length) cluster.violate("live-events", `${follower} got ${seen[due.length]} again`);
        if (factsOf(facts, "GapSeen").some((fact) => fact.follower === follower)) {
          cluster.violate("live-events", `${follower} was told of a gap`);
        }
      }
    },
  }),
};

const stayConnected = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("staying");
    const { token } = yield* visit.signIn(account);
    const { arrive } = ownerOf(visit, cluster, account);
    const seen: Array<unknown> = [];
    let isOpen = false;
    let hasEnded = false;
    yield* Effect.forkChild(
      visit.ask("follow", (services) =>
        Effect.gen(function* () {
          const authentication = Context.get(services, Authentication);
          const { id } = yield* authentication.byAccessToken(token);
          const items = yield* Context.get(services, LiveEvents).open(
            account,
            undefined,
            authentication.isLive(account, id),
          );
          yield* Stream.runForEach(items, (item) =>
            Effect.sync(() => {
              isOpen = true;
              if (item._tag !== "Event" || item.event.type !== "email.received") return;
              seen.push(dataOf(item.event, "messageId"));
            }),
          );
          hasEnded = true;
        }),
      ),
    );
    yield* visit.within(SOON, "a stream does not begin", () => isOpen);
    const arrived: Array<string> = [];
    for (const until = visit.now + OPEN; visit.now < until; yield* visit.wait(BETWEEN)) arrived.push(arrive());
    const isWhole = () => seen.length === arrived.length;
    yield* visit.within(SOON, "a message that arrives while a stream is open is missing", isWhole);
    const { items } = yield* visit.ask("sessions", (services) =>
      Context.get(services, AccountSessions).page(account, {}),
    );
    for (const { id } of items)
      yield* visit.ask("sign out", (services) => Context.get(services, AccountSessions).end(account, id));
    yield* visit.within(ENDS, "a stream does not end with its session", () => hasEnded);
    visit.same(seen, arrived, "the messages that a stream has");
  });
