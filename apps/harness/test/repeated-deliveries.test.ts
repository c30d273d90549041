import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { expect } from "vitest";
import { PATH, URL_A, world } from "./endpoint-world.ts";

it.effect("an event is resent and replayed once for each Idempotency-Key [S2.6-3] [S2.6-6]", () =>
  Effect.gen(function* () {
    const { service, ask, create, send, received } = yield* world;
    const { id } = yield* create();
    const path = `${PATH}/${id}`;
    const since = new Date(service.now()).toISOString();
    yield* send("again");
    yield* service.pass(0);
    const delivery = (yield* ask("GET", `${path}/deliveries`)).body.data[0].id;
    const resend = `${path}/deliveries/${delivery}/resend`;
    const key = { "idempotency-key": "k" };
    const again = yield* ask("POST", resend, undefined, key);
    expect((yield* ask("POST", resend, undefined, key)).body.data.id).toBe(again.body.data.id);
    expect((yield* ask("POST", `${path}/replay`, { since }, key)).body.code).toBe("idempotency_key_reused");
    yield* service.pass(0);
    assert.strictEqual(received[URL_A]!.length, 2);
    yield* ask("POST", `${path}/disable`);
    yield* send("held");
    yield* service.pass(0);
    yield* ask("POST", `${path}/enable`);
    const order = () => ask("POST", `${path}/replay`, { since }, { "idempotency-key": "replay" });
    const first = yield* order();
    const repeat = yield* order();
    expect([first.body.data.queued, repeat.status, repeat.body.data]).toEqual([
      1,
      202,
      { ...first.body.data, queued: 0 },
    ]);
  }),
);
