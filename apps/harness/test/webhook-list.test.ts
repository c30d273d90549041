import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { Endpoints } from "@postern/core/webhooks";
import { harnessWithStores, HARNESS_URL } from "@postern/harness";
import { Context, Effect, Layer } from "effect";
import { expect } from "vitest";
import { sqliteStores } from "./sql-stores.ts";

const DEMO = AccountId("demo@postern.test");

it.live("listing endpoints reads all secrets in one call", () =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.orDie(sqliteStores));
    const endpoints = Context.get(context, Endpoints);
    const asked: Array<number> = [];
    const secrets: Endpoints["Service"]["secrets"] = (ids) => {
      asked.push(ids.length);
      return endpoints.secrets(ids);
    };
    const world = yield* harnessWithStores(
      Layer.succeedContext(Context.add(context, Endpoints, { ...endpoints, secrets })),
    );
    let token = "";
    const call = Effect.fnUntraced(function* (method: string, path: string, json?: object) {
      const headers = { authorization: `Bearer ${token}`, ...(json && { "content-type": "application/json" }) };
      const init = { method, headers, ...(json && { body: JSON.stringify(json) }) };
      const response = yield* world.request(new Request(new URL(path, HARNESS_URL), init));
      return (yield* Effect.promise(() => response.json())) as { readonly token: string; readonly data: Array<object> };
    });
    token = (yield* call("POST", "/api/auth/mobile-login", { email: DEMO, password: "demo" })).token;
    expect((yield* call("GET", "/api/settings/webhooks")).data).toEqual([]);
    for (const name of ["one", "two", "three"]) {
      const url = `https://hooks.example.com/${name}`;
      yield* call("POST", "/api/settings/webhooks", { url, events: ["email.sent"] });
    }
    asked.length = 0;
    const { data } = yield* call("GET", "/api/settings/webhooks");
    expect(data).toHaveLength(3);
    for (const one of data) expect(one).toMatchObject({ secretHint: expect.stringMatching(/.{4}$/) });
    expect(asked).toEqual([3]);
  }).pipe(Effect.scoped),
);
