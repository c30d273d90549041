import { it } from "@effect/vitest";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";

it.live("a mail that verifies an alias counts against the sending rate of the account [S12.2-10]", () =>
  Effect.gen(function* () {
    const world = yield* harness;
    const { token } = (yield* signIn(world)).body;
    const add = (n: number) =>
      call(world, "POST", "/api/identities", { token, json: { address: `a${n}@postern.test` } });
    for (let n = 0; n < 60; n++) expect((yield* add(n)).status).toBe(200);
    const refused = yield* add(60);
    expect([refused.status, refused.body.code]).toEqual([429, "send_rate_exceeded"]);
    yield* world.pass("1 minute");
    expect((yield* add(60)).status).toBe(200);
  }).pipe(Effect.scoped),
);
