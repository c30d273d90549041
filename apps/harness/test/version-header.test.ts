import { it } from "@effect/vitest";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call } from "./call.ts";

it.live("every answer names the version of the contract, refusals too [S2.5-2]", () =>
  Effect.gen(function* () {
    const world = yield* harness;
    const { version } = (yield* call(world, "GET", "/openapi.json")).body.info;
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    for (const path of ["/openapi.json", "/health/live", "/api/inbox", "/nothing-here"]) {
      expect((yield* call(world, "GET", path)).headers.get("postern-version"), path).toBe(version);
    }
  }).pipe(Effect.scoped),
);
