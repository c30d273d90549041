import { assert, layer } from "@effect/vitest";
import { entriesReaching } from "@postern/core/auth";
import type { EventLedger } from "@postern/core/events";
import {
  attemptOf,
  DeliveryLog,
  DeliveryQueue,
  type EndpointOwner,
  Endpoints,
  MAX_ENDPOINTS,
  ownedBy,
} from "@postern/core/webhooks";
import { Effect, type Layer, Option, Redacted } from "effect";
import type { Transaction } from "@postern/core/shared";
import { besideTransaction } from "../beside-transaction.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { claimOf, open, OUTCOME, put, T0 } from "./webhook-rows.ts";

/** The contract of `Endpoints` and of the deliveries that belong to them (spec 7). */
export const endpointsContract = <E>(
  name: string,
  live: Layer.Layer<DeliveryQueue | DeliveryLog | Endpoints | EventLedger | Transaction, E>,
): void =>
  layer(live)(name, (it) => {
    it.effect("stores endpoints and their secrets unchanged, by account", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const other = yield* freshAccount;
        const one = yield* open(account);
        const two = yield* open(account, { createdAt: T0 + 1, ordered: true, events: ["email.sent"], lastStatus: 500 });
        assert.deepStrictEqual(yield* endpoints.find(ownedBy(account), one.id), Option.some(one));
        assert.deepStrictEqual(yield* endpoints.find(ownedBy(other), one.id), Option.none());
        assert.deepStrictEqual(yield* endpoints.list(ownedBy(account)), [one, two]);
        assert.deepStrictEqual(yield* endpoints.list(ownedBy(other)), []);
        assert.deepStrictEqual(yield* endpoints.findSubscribed(account, [], "email.sent"), [two]);
        assert.deepStrictEqual(yield* endpoints.findSubscribed(account, [], "email.opened"), []);
        const next = { secret: Redacted.make("whsec_BBBB"), activatesAt: T0 + 5 };
        yield* endpoints.replaceSecrets(one.id, { current: Redacted.make("whsec_AAAA"), next });
        const secrets = Option.getOrThrow((yield* endpoints.secrets([one.id, "whe_none"])).get(one.id)!);
        assert.strictEqual(Redacted.value(secrets.current), "whsec_AAAA");
        assert.strictEqual(Redacted.value(secrets.next!.secret), "whsec_BBBB");
        assert.strictEqual(secrets.next!.activatesAt, T0 + 5);
        assert.isFalse(yield* endpoints.remove(ownedBy(other), one.id));
        assert.isTrue(yield* endpoints.remove(ownedBy(account), one.id));
        assert.deepStrictEqual(yield* endpoints.list(ownedBy(account)), [two]);
        assert.strictEqual((yield* endpoints.secrets([one.id])).size, 0);
        assert.deepStrictEqual(yield* endpoints.change([one.id], (endpoint) => [1, endpoint]), []);
      }),
    );

    it.effect("stores at most 100 endpoints per account, even with concurrent inserts", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const first = yield* open(account);
        for (let n = 2; n < MAX_ENDPOINTS; n++) yield* open(account);
        const secrets = Option.getOrThrow((yield* endpoints.secrets([first.id])).get(first.id)!);
        const last = ["a", "b", "c", "d"].map((name) => ({ ...first, id: `${first.id}${name}` }));
        const kept = yield* Effect.forEach(last, (one) => endpoints.insert(one, secrets), { concurrency: "unbounded" });
        assert.deepStrictEqual(kept.filter(Boolean), [true]);
        assert.strictEqual((yield* endpoints.list(ownedBy(account))).length, MAX_ENDPOINTS);
        assert.isTrue(yield* endpoints.remove(ownedBy(account), first.id));
        yield* open(account);
        yield* open(yield* freshAccount);
        assert.strictEqual((yield* endpoints.list(ownedBy(account))).length, MAX_ENDPOINTS);
      }),
    );

    it.effect("deletes the deliveries of a removed endpoint", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const account = yield* freshAccount;
        const endpoint = yield* open(account);
        const { event } = yield* put(endpoint);
        const [claimed] = yield* claimOf([endpoint]);
        yield* put(endpoint);
        const endpoints = yield* Endpoints;
        assert.isTrue(yield* endpoints.remove(ownedBy(account), endpoint.id));
        assert.isFalse(yield* endpoints.remove(ownedBy(account), endpoint.id));
        assert.deepStrictEqual(yield* endpoints.find(ownedBy(account), endpoint.id), Option.none());
        assert.deepStrictEqual(yield* endpoints.list(ownedBy(account)), []);
        assert.deepStrictEqual(yield* endpoints.findSubscribed(account, [], "webhook.test"), []);
        assert.strictEqual((yield* endpoints.secrets([endpoint.id])).size, 0);
        assert.deepStrictEqual(yield* endpoints.change([endpoint.id], (one) => [1, one]), []);
        assert.deepStrictEqual(yield* claimOf([endpoint]), []);
        const late = attemptOf(claimed!.delivery, 1, T0, OUTCOME);
        const succeeded = { ...claimed!.delivery, state: "succeeded" as const };
        assert.deepStrictEqual(
          yield* queue.settle([{ delivery: succeeded, token: "token", attempt: late }]),
          new Set(),
        );
        while (yield* endpoints.eraseRemoved(1));
        assert.deepStrictEqual(yield* (yield* DeliveryLog).ofEvents(endpoint.id, [event.id]), []);
      }),
    );

    it.effect("erases all endpoints of an account and of no other", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const [mine, theirs] = [yield* freshAccount, yield* freshAccount];
        const endpoint = yield* open(mine);
        const other = yield* open(theirs);
        const { event } = yield* put(endpoint);
        while (yield* endpoints.erase(mine, 1));
        assert.deepStrictEqual(
          [yield* endpoints.list(ownedBy(mine)), yield* endpoints.list(ownedBy(theirs))],
          [[], [other]],
        );
        assert.strictEqual((yield* endpoints.secrets([endpoint.id])).size, 0);
        assert.deepStrictEqual(yield* (yield* DeliveryLog).ofEvents(endpoint.id, [event.id]), []);
      }),
    );

    it.effect("finds the endpoints of applications by the entries of their reach", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const application = `shop ${account}`;
        const tag = `tag:${account}`;
        const byTag: EndpointOwner = { _tag: "Application", application, reach: [tag, tag], notify: "ops@example.com" };
        const byAddress: EndpointOwner = { ...byTag, application: `other ${account}`, reach: [account], notify: null };
        const own = yield* open(account);
        const reaching = yield* open(byTag, { maxInFlight: 32, createdAt: T0 + 1, folders: ["*", "junk"] });
        const other = yield* open(byAddress, { createdAt: T0 + 2 });
        assert.deepStrictEqual(yield* endpoints.find(byTag, reaching.id), Option.some(reaching));
        assert.deepStrictEqual(yield* endpoints.find(byAddress, reaching.id), Option.none());
        assert.deepStrictEqual(yield* endpoints.find(ownedBy(account), reaching.id), Option.none());
        assert.deepStrictEqual(yield* endpoints.list(byTag), [reaching]);
        assert.deepStrictEqual(yield* endpoints.list(ownedBy(account)), [own]);
        const subscribed = (...entries: ReadonlyArray<string>) =>
          Effect.map(endpoints.findSubscribed(account, entries, "email.received"), (all) => all.map(({ id }) => id));
        assert.deepStrictEqual(yield* subscribed(), [own.id]);
        assert.deepStrictEqual(yield* subscribed(account, tag), [own.id, reaching.id, other.id]);
        assert.deepStrictEqual(yield* subscribed("tag:none"), [own.id]);
        assert.deepStrictEqual(yield* endpoints.findSubscribed(account, [tag], "email.sent"), []);
        assert.deepStrictEqual(yield* endpoints.ofApplication(application, "email.received"), [reaching]);
        assert.deepStrictEqual(yield* endpoints.ofApplication(application, "email.sent"), []);
        assert.isTrue(yield* endpoints.isReached(["tag:none", tag]));
        assert.isFalse(yield* endpoints.isReached(["tag:none"]));
        assert.isFalse(yield* endpoints.isReached([]));
        assert.includeMembers([...(yield* endpoints.listReachEntries)], [tag, account]);
        while (yield* endpoints.erase(account, 1));
        assert.deepStrictEqual(yield* subscribed(account, tag), [reaching.id, other.id]);
        assert.strictEqual(yield* endpoints.removeApplication(application), 1);
        assert.strictEqual(yield* endpoints.removeApplication(application), 0);
        assert.deepStrictEqual(yield* subscribed(account, tag), [other.id]);
        assert.deepStrictEqual(yield* endpoints.ofApplication(application, "email.received"), []);
        assert.isFalse(yield* endpoints.isReached([tag]));
        assert.isTrue(yield* endpoints.remove(byAddress, other.id));
      }),
    );

    it.effect("removes the endpoints of an application with those that a transaction is storing", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const owner = { _tag: "Application" as const, application: yield* freshAccount, reach: null, notify: null };
        const removed = endpoints.removeApplication(owner.application);
        const { results, hasWaited } = yield* besideTransaction(open(owner), removed);
        assert.deepStrictEqual([hasWaited, results[1]], [true, 1]);
        assert.deepStrictEqual(yield* endpoints.list(owner), []);
      }),
    );

    it.effect("reaches every account if the reach of an application is null", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const owner = { _tag: "Application" as const, application: `all ${account}`, reach: null, notify: null };
        const endpoint = yield* open(owner);
        const entries = entriesReaching({ address: account, tags: [] });
        const subscribed = yield* endpoints.findSubscribed(account, entries, "email.received");
        assert.include(
          subscribed.map(({ id }) => id),
          endpoint.id,
        );
        assert.deepStrictEqual(yield* endpoints.list(owner), [endpoint]);
        assert.strictEqual(yield* endpoints.removeApplication(owner.application), 1);
      }),
    );

    it.effect("changes endpoints one after another, without changing their secrets", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const [one, two] = [yield* open(account), yield* open(account)];
        const next = (yield* Effect.forEach(
          [1, 2, 3, 4],
          () =>
            endpoints.change([two.id, "we_none", one.id], (endpoint) => [
              endpoint.id,
              { ...endpoint, maxInFlight: endpoint.maxInFlight + 1 },
            ]),
          { concurrency: "unbounded" },
        )).flat();
        assert.sameMembers(
          next,
          [1, 2, 3, 4].flatMap(() => [one.id, two.id]),
        );
        assert.deepStrictEqual(
          yield* endpoints.list(ownedBy(account)),
          [one, two].map((endpoint) => ({ ...endpoint, maxInFlight: endpoint.maxInFlight + 4 })),
        );
        assert.isTrue(Option.isSome((yield* endpoints.secrets([one.id])).get(one.id)!));
      }),
    );
  });
