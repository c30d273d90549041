import { AccountRemoval } from "@postern/core/lifecycle";
import { WebhookDeliveries } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { ownerOf, says } from "../webhooks/owner-of.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./durations.ts";
import { interruptCreations, repeatTwice } from "./interrupted-creations.ts";
import { KEYED } from "./keyed-creations.ts";

/**
 * For 24 hours, a repeated creation of a caller finds the object of the first one, in its present state. The key belongs to its
 * caller, to one operation and to one request; a refused request does not use it up, and the removal of an account ends it.
 * [S2.6-2] [S2.6-3] [S2.6-5] [S2.6-6] [S2.6-7] [S2.6-8] [S2.6-9] [S2.6-10]
 * [S2.6-11]
 */
export const creationKeys: Invariant = {
  name: "creation-keys",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const kinds = Object.keys(KEYED);
        const some = visit.pickInTurn([kinds.slice(0, 2), kinds.slice(2)]);
        for (const kind of some) {
          yield* checkKind(visit, kind);
          yield* interruptCreations(visit, cluster, kind);
        }
        yield* repeatTwice(visit, cluster);
        yield* checkReplays(visit, cluster);
      }),
  }),
};

const checkKind = (visit: Visit, kind: string) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp(`keyed-${kind}`);
    const { create, remove, wrong } = KEYED[kind]!;
    const ask = (name: string, key: string, caller: string = account) =>
      visit.ask(`create ${name}`, (services) => create(services, name, { caller, key, account }));
    const tag = (name: string, key: string) =>
      Effect.match(ask(name, key), { onFailure: ({ _tag }) => _tag, onSuccess: ({ id }) => id });
    const { id } = yield* ask("first", "one");
    visit.same((yield* ask("first", "one")).id, id, `a repeated creation of a ${kind}`);
    visit.same(yield* tag("second", "one"), "IdempotencyKeyReused", `another ${kind} under a used key`);
    visit.expect((yield* ask("third", "one", "another caller")).id !== id, `another caller gets the ${kind} of a key`);
    const refused = yield* tag(wrong, "two");
    visit.expect(refused !== "IdempotencyKeyReused" && refused !== id, `a wrong ${kind} is created`);
    const second = yield* ask("second", "two");
    yield* visit.skip(DAY - HOUR);
    visit.same(
      [yield* tag("first", "one"), yield* tag("second", "two")],
      [id, second.id],
      `a creation of a ${kind} repeated after 23 hours`,
    );
    yield* visit.ask("remove", (services) => remove(services, account, id));
    visit.same(yield* tag("first", "one"), "CreatedThenDeleted", `a creation of a ${kind} that was deleted`);
    yield* visit.skip(HOUR + MINUTE);
    visit.expect((yield* ask("fourth", "one")).id !== id, `a key of a ${kind} lasts longer than a day`);
    const { id: last } = yield* ask("fifth", "three");
    yield* visit.ask("remove the account", (services) => Context.get(services, AccountRemoval).remove(account));
    yield* visit.signIn(account);
    const again = yield* tag("sixth", "three");
    visit.expect(again !== "IdempotencyKeyReused" && again !== last, `a key of a ${kind} outlives its account`);
  });

/** A resend is one attempt, and a replay one replay, however often each is asked for with a key. */
const checkReplays = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("keyed-replays");
    const { owner, ask, create, arrive, posts, page } = ownerOf(visit, cluster, account);
    const url = "https://visit.sim.test/keyed";
    const { endpoint } = yield* create(url);
    const messageId = arrive();
    const count = () => posts(url).filter(says(messageId)).length;
    yield* visit.within(6 * SECOND, "an arrival is not delivered", () => count() === 1);
    yield* visit.wait(SECOND);
    const [first] = yield* page(endpoint.id);
    const key = { caller: account, key: "again", account };
    const resend = Effect.map(
      ask("resend", (_, all) => all.resend(owner, endpoint.id, first!.delivery.id, key)),
      ({ delivery }) => delivery.id,
    );
    const ids = [yield* resend, yield* resend];
    yield* visit.wait(6 * SECOND);
    ids.push(yield* resend);
    yield* visit.wait(6 * SECOND);
    visit.same([new Set(ids).size, count()], [1, 2], "the resends with one key");
    const since = new Date(visit.now - HOUR).toISOString();
    const replay = Effect.map(
      ask("replay", (_, all) => all.replay(owner, endpoint.id, { since }, { ...key, key: "replay" })),
      ({ id }) => id,
    );
    visit.same(yield* replay, yield* replay, "a replay with the same key");
    const other = visit.tagOf("replay", (services) =>
      Context.get(services, WebhookDeliveries).replay(owner, endpoint.id, { since }, key),
    );
    visit.same(yield* other, "IdempotencyKeyReused", "the key of another operation");
  });
