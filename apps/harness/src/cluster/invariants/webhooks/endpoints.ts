import { WebhookTrial } from "@postern/core/webhooks";
import { type AccountId } from "@postern/core/shared";
import { Context, Effect, Redacted } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { isSigned } from "../../servers/is-signed.ts";
import { DAY, type Owner, ownerOf, says, DELIVERY_MILLIS } from "./owner-of.ts";

/** The maximum time for which an account without an endpoint is watched, in milliseconds. */
const UNWATCHED = 105_000;

/**
 * An endpoint gets the events that it subscribes to, and none while it is disabled or after it was removed. A replay
 * delivers each missed event once, a resend is one attempt, and both secrets sign during a rotation.
 */
export const endpoints: Invariant = {
  name: "endpoints",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const [one, other] = [yield* visit.signUp("endpoints"), yield* visit.signUp("ordered")];
        yield* Effect.all([checkHolding(ownerOf(visit, cluster, one)), checkRetries(ownerOf(visit, cluster, other))], {
          concurrency: "unbounded",
        });
      }),
  }),
};

const checkHolding = ({ visit, owner, ask, create, arrive, posts, page }: Owner) =>
  Effect.gen(function* () {
    const [url, moved] = ["https://visit.sim.test/a", "https://visit.sim.test/b"];
    const gets = (place: string, messageId: string) => () => posts(place).some(says(messageId));
    const made = yield* create(url, {}, "endpoint-key");
    const { id } = made.endpoint;
    const again = yield* create(url, {}, "endpoint-key");
    visit.same([again.endpoint.id, again.secret], [id, null], "the answer to a repeated creation");
    const reused = yield* Effect.flip(create(moved, {}, "endpoint-key"));
    visit.same(reused._tag, "IdempotencyKeyReused", "another endpoint under a used key");
    const sentOnly = yield* create("https://visit.sim.test/c", { events: ["email.sent"] });

    const first = arrive();
    yield* visit.within(DELIVERY_MILLIS, "a new endpoint is not told of an arrival", gets(url, first));
    const told = yield* ask("trial", (endpoints) => endpoints.find(owner, id));
    visit.same([told.endpoint.lastStatus, told.endpoint.consecutiveFailures], [200, 0], "what an endpoint answered");

    yield* ask("disable", (endpoints) => endpoints.disable(owner, id));
    const missed = arrive();
    yield* visit.wait(DELIVERY_MILLIS);
    visit.same((yield* page(id, "held")).length, 1, "the deliveries held for a disabled endpoint");
    const refusals = [
      yield* Effect.flip(
        ask("replay", (_, deliveries) =>
          deliveries.replay(owner, id, { since: new Date(visit.now - 60_000).toISOString() }),
        ),
      ),
      yield* Effect.flip(ask("resend", (_, deliveries) => deliveries.resend(owner, id, told.endpoint.id))),
    ];
    visit.same(refusals[0]!._tag, "EndpointDisabled", "a replay while it is disabled");
    yield* ask("enable", (endpoints) => endpoints.enable(owner, id));
    const enabled = arrive();
    yield* visit.within(DELIVERY_MILLIS, "an enabled endpoint is not told of an arrival", gets(url, enabled));
    yield* visit.wait(DELIVERY_MILLIS);
    visit.expect(!gets(url, missed)(), "enabling sends what was held");

    const [held] = yield* page(id, "held");
    yield* ask("resend", (_, deliveries) => deliveries.resend(owner, id, held!.delivery.id));
    yield* visit.within(DELIVERY_MILLIS, "a resend is not sent", gets(url, missed));
    yield* visit.wait(1_000);
    const replay = ask("replay", (_, deliveries) =>
      deliveries.replay(owner, id, { since: new Date(visit.now - DAY / 4).toISOString() }),
    );
    visit.same((yield* replay).queued, 0, "what a replay adds to what was delivered");
    yield* visit.wait(DELIVERY_MILLIS);
    for (const messageId of [first, missed, enabled]) {
      visit.same(posts(url).filter(says(messageId)).length, 1, `POSTs about ${messageId}`);
    }
    visit.same(
      (yield* Effect.flip(
        ask("replay", (_, deliveries) =>
          deliveries.replay(owner, id, { since: new Date(visit.now - 15 * DAY).toISOString() }),
        ),
      ))._tag,
      "ReplayTooOld",
      "a replay of what is not kept",
    );

    const rotated = yield* ask("rotate", (endpoints) => endpoints.rotateSecret(owner, id, "4s"));
    const during = arrive();
    yield* visit.within(DELIVERY_MILLIS, "an endpoint is not told of an arrival", gets(url, during));
    const [old, next] = [made.secret!, rotated.secret].map(Redacted.value);
    const isSignedWith = (messageId: string, secret: string) =>
      isSigned(posts(url).find(says(messageId))!.post, [secret]);
    // The overlap ends at every node: the clocks of two nodes may be 3 seconds apart.
    yield* visit.wait(2 * DELIVERY_MILLIS);
    const later = yield* ask("rotate", (endpoints) => endpoints.rotateSecret(owner, id, "60s"));
    const after = arrive();
    yield* visit.within(DELIVERY_MILLIS, "an endpoint is not told of an arrival", gets(url, after));
    visit.expect(isSignedWith(during, old!), "a POST before the end of the overlap lacks the old secret");
    visit.expect(isSignedWith(after, next!), "a POST after a rotation lacks its secret");
    visit.expect(!isSignedWith(after, old!), "a POST after a rotation has the secret from before it");
    visit.expect(Redacted.value(later.secret) !== next, "a rotation makes no new secret");

    yield* ask("edit", (endpoints) => endpoints.edit(owner, id, { url: moved }));
    const elsewhere = arrive();
    yield* visit.within(DELIVERY_MILLIS, "an endpoint is not told at its new URL", gets(moved, elsewhere));
    visit.expect(!gets(url, elsewhere)(), "an endpoint is told at its former URL");
    visit.same(posts("https://visit.sim.test/c").length, 0, "POSTs to what it did not subscribe to");
    const trial = yield* visit.ask("test", (services) => Context.get(services, WebhookTrial).send(owner, id));
    visit.expect(trial.delivered, "a test does not reach the endpoint");

    const stranger = { _tag: "Account", account: "robin@sim.test" as AccountId } as const;
    visit.same(
      (yield* Effect.flip(ask("find", (all) => all.find(stranger, id))))._tag,
      "EndpointNotFound",
      "a stranger's",
    );
    yield* ask("remove", (endpoints) => endpoints.remove(owner, id));
    arrive();
    const count = posts(moved).length;
    yield* visit.wait(DELIVERY_MILLIS);
    visit.same(posts(moved).length, count, "POSTs to a removed endpoint");
    visit.same((yield* Effect.flip(create(url, {}, "endpoint-key")))._tag, "CreatedThenDeleted", "a repeat afterwards");
    const left = yield* ask("list", (endpoints) => endpoints.page(owner, {}));
    visit.expect(!left.items.some(({ endpoint }) => endpoint.id === id), "a removed endpoint is listed");
    yield* ask("remove", (endpoints) => endpoints.remove(owner, sentOnly.endpoint.id));

    // No endpoint watches the account, so mail that arrives now is not announced later.
    yield* visit.wait(UNWATCHED);
    const unwatched = arrive();
    const last = yield* create("https://visit.sim.test/d");
    const watched = arrive();
    yield* visit.within(
      DELIVERY_MILLIS,
      "a new endpoint is not told of an arrival",
      gets("https://visit.sim.test/d", watched),
    );
    yield* visit.wait(1_000);
    visit.expect(
      !gets("https://visit.sim.test/d", unwatched)(),
      "mail that came while no endpoint watched is announced",
    );
    yield* ask("remove", (endpoints) => endpoints.remove(owner, last.endpoint.id));
  });

/**
 * A resend is one attempt without retries, and disables no endpoint; an ordered endpoint waits for the retry of an
 * event.
 */
const checkRetries = ({ visit, cluster, owner, ask, create, arrive, posts, page }: Owner) =>
  Effect.gen(function* () {
    const url = "https://visit.sim.test/ordered";
    const { endpoint } = yield* create(url, { ordered: true });
    const first = arrive();
    yield* visit.within(DELIVERY_MILLIS, "an ordered endpoint is not told of an arrival", () =>
      posts(url).some(says(first)),
    );
    yield* visit.wait(1_000);
    const [delivered] = yield* page(endpoint.id, "succeeded");
    cluster.receivers.behave(url, { broken: 1, silent: 0, cut: 0, slow: 2 });
    const before = posts(url).length;
    yield* ask("resend", (_, deliveries) => deliveries.resend(owner, endpoint.id, delivered!.delivery.id));
    yield* visit.wait(8_000);
    visit.same(posts(url).length - before, 1, "attempts of a resend that fails");
    const retried = arrive();
    yield* visit.wait(600);
    const overtaking = arrive();
    yield* visit.wait(2_500);
    cluster.receivers.behave(url, { broken: 0, silent: 0, cut: 0, slow: 2 });
    yield* visit.within(90_000, "an event is not retried", () => posts(url).some(says(overtaking)));
    const told = posts(url);
    visit.expect(
      told.findIndex((post) => post.status === 200 && says(retried)(post)) < told.findIndex(says(overtaking)),
      "an event that waits for its retry is overtaken at an ordered endpoint",
    );
    const view = yield* ask("find", (endpoints) => endpoints.find(owner, endpoint.id));
    visit.same([view.endpoint.state, view.endpoint.lastStatus], ["enabled", 200], "an endpoint that works again");
    yield* ask("remove", (endpoints) => endpoints.remove(owner, endpoint.id));
  });
