import { it } from "@effect/vitest";
import { type Harness, HARNESS_ADMIN_KEY } from "@postern/harness";
import { Effect, type Scope } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { makeKey } from "./key-world.ts";

/** Records with a version: how one is made, changed by a field, and shown. */
export const RECORDS = [
  {
    path: "/api/settings/webhooks",
    body: { url: "https://a.example.com/", events: ["email.sent"] },
    field: "description",
    code: "endpoint_changed",
  },
  { path: "/api/settings/folders", body: { name: "First" }, field: "name", code: "folder_changed" },
  {
    path: "/api/identities",
    body: { name: "First", address: "alias@postern.test" },
    field: "name",
    code: "identity_changed",
  },
  {
    path: "/api/accounts",
    body: { email: "friend@postern.test", password: "demo" },
    field: "name",
    code: "account_changed",
    by: "key",
  },
  {
    path: "/api/keys",
    body: { name: "key", scopes: ["mail:read"] },
    field: "name",
    code: "key_changed",
    by: "admin",
  },
] as const;

/** Suites of what the versions of records refuse, on the stores of this service. */
export const versions = (where: string, service: Effect.Effect<Harness, unknown, Scope.Scope>) => {
  const made = Effect.fnUntraced(function* (record: (typeof RECORDS)[number]) {
    const world = yield* service;
    const session: string = (yield* signIn(world)).body.token;
    const by = "by" in record ? record.by : "session";
    const token = by === "admin" ? HARNESS_ADMIN_KEY : by === "key" ? (yield* makeKey(world)).key : session;
    const created = yield* call(world, "POST", record.path, { token, json: record.body });
    expect(created.status).toBe(200);
    const { id, version } = created.body.data;
    const ask = (method: string, match?: string, json?: unknown) =>
      call(world, method, `${record.path}/${id}`, {
        token,
        ...(json === undefined ? {} : { json }),
        ...(match === undefined ? {} : { headers: { "if-match": match } }),
      });
    const now = Effect.map(
      call(world, "GET", record.path, { token }),
      ({ body }) =>
        body.data.find((one: { readonly id: string }) => one.id === id) as Record<string, string> | undefined,
    );
    return { world, token, created, version: version as string, ask, now };
  });

  describe(`the version of a record, ${where}`, () => {
    it.live.each(RECORDS)("lets one of two concurrent changes succeed: $path [S2.7-1] [S2.7-2] [S2.7-3]", (record) =>
      Effect.gen(function* () {
        const { created, version, ask, now } = yield* made(record);
        expect(created.headers.get("etag")).toBe(`"${version}"`);
        expect((yield* now)!["version"]).toBe(version);
        const second = yield* ask("PATCH", `"${version}"`, { [record.field]: "Second" });
        const next: string = second.body.data.version;
        expect([second.status, second.headers.get("etag")]).toEqual([200, `"${next}"`]);
        expect(next).not.toBe(version);
        for (const stale of [
          yield* ask("PATCH", version, { [record.field]: "Third" }),
          yield* ask("DELETE", version),
        ]) {
          expect([stale.status, stale.body.code]).toEqual([409, record.code]);
        }
        expect(yield* now).toMatchObject({ [record.field]: "Second", version: next });
        expect((yield* ask("PATCH", undefined, { [record.field]: "Fourth" })).status).toBe(200);
        expect((yield* ask("PATCH", "*", { [record.field]: "Fifth" })).status).toBe(200);
        const last = (yield* now)!["version"]!;
        expect((yield* ask("DELETE", `"${last}"`)).status).toBe(200);
        expect(yield* now).toBeUndefined();
      }).pipe(Effect.scoped),
    );

    it.live.each(RECORDS.filter(({ path }) => !path.endsWith("folders")))(
      "lets one of concurrent changes of the same version win: $path [S2.7-5]",
      (record) =>
        Effect.gen(function* () {
          const { version, ask } = yield* made(record);
          const all = yield* Effect.forEach(
            ["A", "B", "C", "D"],
            (text) => ask("PATCH", version, { [record.field]: text }),
            { concurrency: "unbounded" },
          );
          expect(all.map(({ status }) => status).filter((status) => status === 200)).toEqual([200]);
        }).pipe(Effect.scoped),
    );

    it.live("holds the deletion of a key, and stays the same when the key is used [S2.7-2] [S2.7-4]", () =>
      Effect.gen(function* () {
        const { world, created, version, ask, now } = yield* made(RECORDS[4]);
        const { key } = created.body.data;
        yield* call(world, "GET", "/api/inbox", { token: key, headers: { "postern-account": "demo@postern.test" } });
        expect(yield* now).toMatchObject({ version, lastUsedAt: expect.any(String) });
        expect(yield* ask("DELETE", "other")).toMatchObject({ status: 409, body: { code: "key_changed" } });
        expect((yield* ask("DELETE", version)).status).toBe(200);
      }).pipe(Effect.scoped),
    );

    it.live("of an endpoint stays the same when its state changes [S2.7-4]", () =>
      Effect.gen(function* () {
        const { world, token, created, version, now } = yield* made(RECORDS[0]);
        const at = `/api/settings/webhooks/${created.body.data.id}`;
        for (const path of ["disable", "enable", "rotate-secret"])
          yield* call(world, "POST", `${at}/${path}`, { token });
        expect((yield* now)!["version"]).toBe(version);
      }).pipe(Effect.scoped),
    );
  });
};
