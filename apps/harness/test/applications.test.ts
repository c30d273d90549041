import { it } from "@effect/vitest";
import { harness, type Harness, HARNESS_ADMIN_KEY, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { call } from "./call.ts";
import { asAdmin, asKey, makeKey } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1").toString("base64");

const change = (world: Harness, json: object, match?: string) =>
  call(world, "PATCH", "/api/applications/Harbour%20CRM", {
    token: HARNESS_ADMIN_KEY,
    json,
    ...(match === undefined ? {} : { headers: { "if-match": match } }),
  });

for (const [name, made] of [
  ["memory", harness],
  ["SQLite", harnessWithStores(Layer.orDie(sqliteStores))],
] as const) {
  describe(`applications, in ${name}`, () => {
    const begin = Effect.gen(function* () {
      const world = yield* made as typeof harness;
      const { key } = yield* makeKey(world, { application: "Harbour CRM" });
      yield* makeKey(world, { application: "Harbour CRM" });
      yield* makeKey(world, { application: "desk" });
      return { world, key };
    });

    it.live("are listed by pages with their keys, and only for the operator [S10.2-31]", () =>
      Effect.gen(function* () {
        const { world, key } = yield* begin;
        expect((yield* asKey(world, key, "GET", "/api/applications")).status).toBe(403);
        yield* asAdmin(world, "POST", "/api/applications/desk/suspend");
        const first = yield* asAdmin(world, "GET", "/api/applications?limit=1");
        const second = yield* asAdmin(world, "GET", `/api/applications?limit=1&cursor=${first.body.nextCursor}`);
        expect(second.body.nextCursor).toBeNull();
        const both = [...first.body.data, ...second.body.data];
        expect(both).toContainEqual({
          id: "Harbour CRM",
          name: "Harbour CRM",
          version: expect.any(String),
          keys: 2,
          suspendedAt: null,
          displayName: null,
          purpose: null,
          colour: null,
          logo: null,
          notify: null,
        });
        expect(both).toContainEqual(
          expect.objectContaining({ name: "desk", keys: 1, suspendedAt: expect.stringMatching(/Z$/) }),
        );
      }).pipe(Effect.scoped),
    );

    it.live("are shown with the operator's profile, which is deleted with them [S10.2-32] [S10.2-33]", () =>
      Effect.gen(function* () {
        const { world, key } = yield* begin;
        const shown = {
          displayName: "Harbour & Sons",
          purpose: "Keeps the book.",
          colour: "#0A5c36",
          logo: PNG,
          notify: "ops@x.test",
        };
        expect((yield* change(world, shown)).body.data).toMatchObject({ ...shown, keys: 2 });
        const { status, body } = yield* change(world, { purpose: null });
        expect([status, body.data]).toEqual([200, expect.objectContaining({ ...shown, purpose: null })]);
        expect((yield* asAdmin(world, "GET", "/api/applications")).body.data).toContainEqual(body.data);
        const byKey = yield* asKey(world, key, "PATCH", "/api/applications/Harbour%20CRM", {
          json: { displayName: "Your Bank" },
        });
        expect(byKey.status).toBe(403);
        const unknown = yield* asAdmin(world, "PATCH", "/api/applications/none", shown);
        expect([unknown.status, unknown.body.code]).toEqual([404, "application_not_found"]);

        yield* asAdmin(world, "DELETE", "/api/applications/Harbour%20CRM");
        expect((yield* change(world, shown)).status).toBe(404);
        yield* makeKey(world, { application: "Harbour CRM" });
        expect((yield* asAdmin(world, "GET", "/api/applications")).body.data).toContainEqual(
          expect.objectContaining({ name: "Harbour CRM", displayName: null, logo: null }),
        );
      }).pipe(Effect.scoped),
    );

    it.live("have versions, of which one of concurrent changes wins [S2.7-1] [S2.7-3] [S2.7-5]", () =>
      Effect.gen(function* () {
        const { world } = yield* begin;
        const { body, headers } = yield* change(world, { displayName: "First" });
        expect(headers.get("etag")).toBe(`"${body.data.version}"`);
        const all = yield* Effect.forEach(
          ["A", "B", "C"],
          (displayName) => change(world, { displayName }, body.data.version),
          { concurrency: "unbounded" },
        );
        expect(all.map(({ status }) => status).filter((status) => status === 200)).toEqual([200]);
        expect(all.find(({ status }) => status === 409)?.body.code).toBe("application_changed");
        yield* makeKey(world, { application: "Harbour CRM" });
        const won = all.find(({ status }) => status === 200)!.body.data;
        expect((yield* change(world, { displayName: "B" }, won.version)).status).toBe(200);
      }).pipe(Effect.scoped),
    );
  });
}

it.live.each([
  ["displayName", ""],
  ["displayName", "n".repeat(101)],
  ["displayName", "Harbour\nYour bank"],
  ["purpose", "p".repeat(301)],
  ["purpose", "A line.\u2028Another."],
  ["colour", "red;background:url(x)"],
  ["colour", "#0a5c3"],
  ["notify", "nowhere"],
  ["logo", Buffer.from("<svg/>").toString("base64")],
  ["logo", `${PNG}" onload="x`],
  ["logo", Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\r${"x".repeat(32 * 1024)}`, "latin1").toString("base64")],
] as const)("an application with a %s that cannot be shown is refused [S10.2-32]", ([field, value]) =>
  Effect.gen(function* () {
    const world = yield* harness;
    yield* makeKey(world, { application: "Harbour CRM" });
    const { status, body } = yield* change(world, { [field]: value });
    expect([status, body.errors.map((one: { readonly field: string }) => one.field)]).toEqual([400, [field]]);
  }).pipe(Effect.scoped),
);
