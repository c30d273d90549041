import { assert, it } from "@effect/vitest";
import { AccountId, StoreUnavailable, Transaction } from "@postern/core/shared";
import { EventLedger } from "@postern/core/events";
import { harnessWithStores, HARNESS_URL, type Harness } from "@postern/harness";
import { Context, Effect, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { sqliteStores } from "./sql-stores.ts";
import { answered, endpointNow, newEndpointOn, newEvent, webhookNode } from "./webhook-node.ts";

const DEMO = AccountId("demo@postern.test");
const HOOK = "https://hooks.example.com/";

/** Returns stores that commit transactions with events but, once armed, report `times` of them as failed. */
const losingAnswers = Effect.fnUntraced(function* (times: number) {
  const context = yield* Layer.build(Layer.orDie(sqliteStores));
  const ledger = Context.get(context, EventLedger);
  const transaction = Context.get(context, Transaction);
  let left = 0;
  let published = false;
  const append: EventLedger["Service"]["append"] = (events) => {
    published = events.length > 0;
    return ledger.append(events);
  };
  const run: Transaction["Service"]["run"] = (effect) =>
    Effect.suspend(() => {
      published = false;
      const lose = Effect.suspend(() =>
        published && left-- > 0 ? Effect.fail(new StoreUnavailable({ detail: "no answer" })) : Effect.void,
      );
      return Effect.tap(transaction.run(effect), lose);
    });
  const stores = Layer.succeedContext(
    context.pipe(Context.add(EventLedger, { ...ledger, append }), Context.add(Transaction, { run })),
  );
  return { stores, lose: () => void (left = times), lost: () => times - Math.max(0, left) };
});

const call = Effect.fnUntraced(function* (world: Harness, path: string, json: object, token = "") {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = yield* world.request(
    new Request(new URL(path, HARNESS_URL), { method: "POST", headers, body: JSON.stringify(json) }),
  );
  return (yield* Effect.promise(() => response.json())) as Record<string, never>;
});

const signIn = (world: Harness) =>
  Effect.map(
    call(world, "/api/auth/mobile-login", { email: DEMO, password: "demo" }),
    ({ token }) => token as unknown as string,
  );

describe("a commit whose answer is lost", () => {
  it.live("announces the outcome of a message once, and delivers it once [S7.3-2]", () =>
    Effect.gen(function* () {
      const { stores, lose, lost } = yield* losingAnswers(3);
      const world = yield* harnessWithStores(stores);
      const token = yield* signIn(world);
      const posts: Array<unknown> = [];
      world.receivers.set(HOOK, { reply: (post) => (posts.push(post.headers["webhook-id"]), { status: 200 }) });
      yield* call(world, "/api/settings/webhooks", { url: HOOK, events: ["email.sent"] }, token);
      lose();
      const mail = { to: "friend@postern.test", subject: "once", text: "x" };
      const sending = yield* Effect.forkChild(call(world, "/api/send", mail, token));
      while (lost() < 3) {
        yield* Effect.sleep("20 millis");
        yield* world.pass("1 second");
      }
      yield* world.pass("2 seconds");
      expect((yield* Fiber.join(sending))["status"]).toBe("sent");
      yield* world.pass("1 minute");
      expect((yield* world.events.list(DEMO)).map(({ type }) => type)).toEqual(["email.sent"]);
      expect(posts).toHaveLength(1);
    }).pipe(Effect.scoped),
  );

  it.live("announces a refused recipient once, if it was that of the mark before the dot", () =>
    Effect.gen(function* () {
      const { stores, lose, lost } = yield* losingAnswers(1);
      const world = yield* harnessWithStores(stores);
      const token = yield* signIn(world);
      world.smtp.conduct = { rcpt: { "gone@far.test": { code: 550, enhanced: "5.1.1", text: "no such user" } } };
      lose();
      const mail = { to: ["friend@postern.test", "gone@far.test"], subject: "once", text: "x" };
      expect((yield* call(world, "/api/send", mail, token))["status"]).toBe("queued");
      expect(lost()).toBe(1);
      yield* world.pass("2 minutes");
      const types = (yield* world.events.list(DEMO)).map(({ type }) => type);
      expect(types.toSorted()).toEqual(["email.bounced", "email.sent"]);
    }).pipe(Effect.scoped),
  );

  it.effect("disables an endpoint once, with one event and one notice", () =>
    Effect.gen(function* () {
      const { stores, lose, lost } = yield* losingAnswers(3);
      const node = yield* webhookNode(stores, () => Effect.succeed(answered(500)));
      const endpoint = yield* newEndpointOn(node);
      yield* node.publisher.publish([yield* newEvent(endpoint.account)]);
      lose();
      const sending = yield* Effect.forkChild(node.dispatcher.runDue);
      while (sending.pollUnsafe() === undefined) {
        yield* TestClock.withLive(Effect.sleep("5 millis"));
        yield* TestClock.adjust("1 second");
      }
      assert.strictEqual(yield* Fiber.join(sending), 1);
      assert.strictEqual(lost(), 1, "a settled delivery is not settled again");
      assert.strictEqual((yield* endpointNow(node, endpoint)).generation, 2);
      const events = yield* node.ledger.list(endpoint.account);
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["email.deleted", "webhook.disabled"],
      );
      assert.lengthOf(yield* node.journal.list({ account: endpoint.account }, 0, 10), 1);
      const logged = yield* node.log.ofEvents(
        endpoint.id,
        events.map(({ id }) => id),
      );
      assert.lengthOf(logged, 2);
    }).pipe(Effect.scoped),
  );
});
