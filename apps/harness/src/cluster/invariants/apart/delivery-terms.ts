import { WebhookTrial } from "@postern/core/webhooks";
import { Context, Effect, Redacted } from "effect";
import { eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { isSigned } from "../../servers/is-signed.ts";
import { type Owner, ownerOf } from "../webhooks/owner-of.ts";
import { DAY, MINUTE, SECOND } from "./durations.ts";

const URL = "https://visit.sim.test/delivered";
/** A time longer than nodes need to start, and events to be delivered. */
const SOON = 10 * SECOND;
/** The time after which an attempt that cannot be signed is repeated. */
const PAUSE = 10 * MINUTE;
/** More attempts than a ladder has. */
const MANY = 8;
/** Around the events that a replay queues at a time, and around twice as many. */
const COUNTS = [3, 49, 50, 51, 99, 100, 101, 120];

/**
 * A replay of any number of events sends each of them, once unless a node ends; with its key it can be continued. An attempt that
 * cannot be signed is not sent, counts for nothing and is repeated after 10 minutes, until a secret can be read. [S7.5-7]
 * [S7.5-9] [S7.6-4] [S7.6-8]
 */
export const deliveryTerms: Invariant = {
  name: "delivery-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const owner = ownerOf(visit, cluster, yield* visit.signUp("delivered"));
        yield* visit.pickInTurn([replayMany, sendUnsigned, replayMany])(owner);
      }),
  }),
};

const replayMany = ({ visit, cluster, owner, ask, create, arrive, posts, page }: Owner): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { random } = cluster;
    const { account } = owner;
    const { endpoint } = yield* create(URL, { ordered: random.chance(0.3), maxInFlight: 10 });
    yield* ask("disable", (all) => all.disable(owner, endpoint.id));
    const come = (count: number) =>
      Effect.gen(function* () {
        const told = () => eventsOf(cluster, account, "email.received").map(({ id }) => id);
        const before = told();
        for (let n = 0; n < count; n++) arrive();
        yield* visit.within(SOON, "mail is not told", () => told().length === before.length + count);
        return told().slice(before.length);
      });
    const first = yield* come(random.pick(COUNTS)!);
    yield* visit.wait(2 * SECOND);
    const middle = visit.now;
    yield* visit.wait(2 * SECOND);
    const later = yield* come(random.between(1, 20));
    yield* ask("enable", (all) => all.enable(owner, endpoint.id));
    const since = new Date(middle - DAY).toISOString();
    const replay = (key: string, until?: number) =>
      ask("replay", (_, deliveries) =>
        deliveries.replay(
          owner,
          endpoint.id,
          { since, ...(until !== undefined && { until: new Date(until).toISOString() }) },
          { caller: account, key, account },
        ),
      );
    const got = () => posts(URL).map(({ eventId }) => eventId);
    /** A node that ends may have sent a POST whose end it did not store. */
    let isRepeated = false;
    const expectAll = (promised: ReadonlyArray<string>, of: string) =>
      Effect.gen(function* () {
        yield* visit.wait(SOON);
        const found = isRepeated ? [...new Set(got())] : got();
        visit.same(found.toSorted(), promised.toSorted(), `the events of ${of}`);
      });
    const begun = yield* replay("first", middle);
    visit.expect(begun.complete ? begun.queued === first.length : begun.queued < first.length + 1, "a receipt");
    const end = random.pick(["none", "nodes", "disabled"]);
    if (end === "nodes") {
      isRepeated = true;
      for (let place = 0; place < cluster.size; place++) {
        cluster.crash(place);
        cluster.boot(place);
      }
      yield* visit.wait(SOON);
      visit.same((yield* replay("first", middle)).id, begun.id, "a replay that is continued");
      // Claims of the nodes that ended are taken over once their leases have ended.
      yield* visit.wait(MINUTE);
    }
    if (end === "disabled") {
      yield* ask("disable", (all) => all.disable(owner, endpoint.id));
      yield* visit.wait(SOON);
      const left = got().length;
      yield* visit.wait(MINUTE);
      visit.same(got().length, left, "the POSTs to an endpoint that was disabled during a replay");
      yield* ask("enable", (all) => all.enable(owner, endpoint.id));
      yield* replay("second", middle);
    }
    yield* expectAll(first, `a replay of ${first.length} events, ended by ${end}`);
    yield* replay("rest");
    yield* expectAll([...first, ...later], "a replay without an end");
    visit.same((yield* replay("again")).queued, 0, "what a replay of delivered events queues");
    yield* expectAll([...first, ...later], "a repeated replay");
    visit.same((yield* page(endpoint.id, "held")).length, 0, "the deliveries that are held after a replay of all");
  });

const sendUnsigned = ({ visit, cluster, owner, ask, create, arrive, posts, page }: Owner) =>
  Effect.gen(function* () {
    const { random, receivers, unreadable } = cluster;
    const { endpoint, secret } = yield* create(URL);
    let current = Redacted.value(secret!);
    unreadable.add(endpoint.id);
    arrive();
    yield* visit.wait(SOON);
    const compare = (attempts: number) =>
      Effect.gen(function* () {
        const [delivery] = yield* page(endpoint.id);
        visit.same(
          [delivery?.state, delivery?.attempts.map(({ errorCode }) => errorCode)],
          ["pending", Array.from({ length: attempts }, () => "secret_unreadable")],
          "a delivery that cannot be signed",
        );
        const { endpoint: found, secretHint } = yield* ask("find", (all) => all.find(owner, endpoint.id));
        visit.same(
          [found.state, secretHint, posts(URL).length],
          ["enabled", "…", 0],
          "an endpoint whose secret no node can read",
        );
      });
    yield* compare(1);
    for (let attempt = 2; attempt <= random.pick([2, 3, MANY]); attempt++) {
      yield* visit.skip(PAUSE - 2 * SOON);
      yield* compare(attempt - 1);
      yield* visit.skip(2 * SOON);
      yield* compare(attempt);
    }
    const trial = yield* visit.ask("test", (services) => Context.get(services, WebhookTrial).send(owner, endpoint.id));
    visit.same([trial.delivered, trial.status, trial.errorCode], [false, null, "secret_unreadable"], "a test");
    if (random.chance(0.5)) {
      const rotated = yield* ask("rotate", (all) => all.rotateSecret(owner, endpoint.id, "1d"));
      current = Redacted.value(rotated.secret);
    } else unreadable.clear();
    receivers.behave(URL, { broken: 1, silent: 0, cut: 0, slow: 2 });
    yield* visit.skip(PAUSE - SOON);
    yield* visit.within(SOON + SOON, "no POST once a secret can be read", () => posts(URL).length > 0);
    // The ladder begins with the first attempt that was sent: after 1, 5 and 15 seconds.
    yield* visit.wait(24 * SECOND);
    visit.same(posts(URL).length, 4, "the POSTs of a delivery whose secret can be read again");
    receivers.behave(URL, { broken: 0, silent: 0, cut: 0, slow: 2 });
    yield* visit.skip(MINUTE);
    yield* visit.wait(SOON);
    visit.same((yield* page(endpoint.id, "succeeded")).length, 1, "a delivery whose secret can be read again");
    visit.expect(
      posts(URL).every(({ post }) => isSigned(post, [current])),
      "a POST is not signed with the secret of its endpoint",
    );
  });
