import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { AccountErasures } from "@postern/core/auth";
import { Endpoints } from "@postern/core/webhooks";
import { harnessWithStores, HARNESS_URL } from "@postern/harness";
import { Context, Deferred, Effect, Fiber, Layer } from "effect";
import { expect } from "vitest";
import { asAdmin } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const DEMO = AccountId("demo@postern.test");
const MAILS = 12;

it.live("an account that signs in while it is being erased starts without its old data", () =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.orDie(sqliteStores));
    const erasures = Context.get(context, AccountErasures);
    const endpoints = Context.get(context, Endpoints);
    const world = yield* harnessWithStores(Layer.succeedContext(context));
    const call = Effect.fnUntraced(function* (method: string, path: string, token: string, json?: object) {
      const headers = { authorization: `Bearer ${token}`, ...(json && { "content-type": "application/json" }) };
      const init = { method, headers, ...(json && { body: JSON.stringify(json) }) };
      const response = yield* world.request(new Request(new URL(path, HARNESS_URL), init));
      return (yield* Effect.promise(() => response.json())) as { readonly token: string; readonly data: Array<object> };
    });
    const signIn = Effect.map(
      call("POST", "/api/auth/mobile-login", "", { email: DEMO, password: "demo" }),
      ({ token }) => token,
    );
    const before = yield* signIn;
    const url = "https://hooks.example.com/";
    yield* call("POST", "/api/settings/webhooks", before, { url, events: ["email.sent"] });
    for (let n = 0; n < MAILS; n++) {
      yield* call("POST", "/api/send", before, { to: "friend@postern.test", subject: `${n}`, text: "x" });
    }
    expect(yield* world.events.list(DEMO)).toHaveLength(MAILS);

    // The state after a process that ended in the middle: an endpoint hidden, and some rows erased.
    yield* erasures.begin(DEMO);
    yield* endpoints.erase(DEMO, 5);
    const after = yield* signIn;
    expect(yield* erasures.list).toEqual([]);
    expect(yield* world.events.list(DEMO)).toEqual([]);
    expect((yield* call("GET", "/api/settings/webhooks", after)).data).toEqual([]);
    expect((yield* call("GET", "/api/outbox", after)).data).toEqual([]);
    expect(yield* endpoints.eraseRemoved(5)).toBe(false);

    yield* call("POST", "/api/send", after, { to: "friend@postern.test", subject: "new", text: "x" });
    expect(yield* world.events.list(DEMO)).toHaveLength(1);
    expect((yield* call("DELETE", "/api/account", after)).data).toEqual({
      id: expect.stringMatching(/^acc_/),
      email: DEMO,
      deleted: true,
    });
    expect([yield* world.events.list(DEMO), yield* erasures.list]).toEqual([[], []]);
  }).pipe(Effect.scoped),
);

it.live("an account that is being erased is added once the erasure ended, within ten seconds [S10.3-31]", () =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.orDie(sqliteStores));
    const erasures = Context.get(context, AccountErasures);
    const ending = yield* Deferred.make<void>();
    const end = () => Effect.andThen(Deferred.succeed(ending, undefined), Effect.never);
    const stores = Context.add(context, AccountErasures, { ...erasures, end });
    const world = yield* harnessWithStores(Layer.succeedContext(stores));
    yield* erasures.begin(DEMO);
    const json = { email: DEMO, password: "demo" };
    const adding = yield* Effect.forkChild(asAdmin(world, "POST", "/api/accounts", json));
    yield* Deferred.await(ending);
    yield* world.pass("9 seconds");
    expect(adding.pollUnsafe()).toBeUndefined();
    yield* world.pass("1 second");
    expect(yield* Fiber.join(adding)).toMatchObject({ status: 409, body: { code: "account_being_removed" } });
    yield* erasures.end(DEMO);
    expect((yield* asAdmin(world, "POST", "/api/accounts", json)).status).toBe(200);
  }).pipe(Effect.scoped),
);
