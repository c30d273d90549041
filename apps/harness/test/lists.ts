import { describe, it } from "@effect/vitest";
import { type Harness, HARNESS_ADMIN_KEY, HARNESS_START } from "@postern/harness";
import { Effect, type Scope } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";

const LATER = new Date(HARNESS_START + 86_400_000).toISOString();
const DRAFTS = "/api/drafts";
const WEBHOOKS = "/api/settings/webhooks";
const BLOCKS = "/api/settings/blocks";
const APPS = "/api/oauth/apps";

/** Every list with pages of this kind, and how to add entry `n`; of a constant list there is nothing to add. */
const LISTS: ReadonlyArray<readonly [path: string, add?: (n: number) => readonly [path: string, json: unknown]]> = [
  ["/api/outbox", (n) => ["/api/send", { to: "a@b.test", subject: `m${n}`, text: "x", sendAt: LATER }]],
  [DRAFTS, (n) => [DRAFTS, { subject: `d${n}` }]],
  ["/api/identities", (n) => ["/api/identities", { address: `alias${n}@postern.test` }]],
  [WEBHOOKS, (n) => [WEBHOOKS, { url: `https://hook.test/${n}`, events: ["email.sent"] }]],
  ["/api/admin/outbox", (n) => ["/api/send", { to: "a@b.test", subject: `m${n}`, text: "x", sendAt: LATER }]],
  ["/api/keys", (n) => ["/api/keys", { name: `k${n}`, scopes: ["mail:read"] }]],
  [APPS, (n) => [APPS, { id: `app${n}`, provider: "google", clientId: "c", clientSecret: "s" }]],
  ["/api/auth/providers", (n) => [APPS, { id: `way${n}`, provider: "google", clientId: "c", clientSecret: "s" }]],
  ["/api/auth/sessions", () => ["/api/auth/mobile-login", { email: "demo@postern.test", password: "demo" }]],
  ["/api/labels", (n) => ["/api/messages/batch", { query: { folder: "inbox" }, change: { addLabels: [`label${n}`] } }]],
  [BLOCKS, (n) => [BLOCKS, { address: `pest${n}@noise.test` }]],
  [`${WEBHOOKS}/event-types`],
];

const isAdmins = (path: string) => ["/api/keys", "/api/admin/outbox", APPS].includes(path);

/** Lists by pages over the ports that `make` chooses (spec 2.8). */
export const lists = (name: string, make: Effect.Effect<Harness, unknown, Scope.Scope>) =>
  describe(`a list ${name}`, () => {
    it.live.each(LISTS)(
      "%s has each entry once, whatever is added between its pages [S2.8-1] [S2.8-2]",
      ([path, add]) =>
        Effect.gen(function* () {
          const world = yield* make;
          const { token } = (yield* signIn(world)).body;
          const ask = (method: string, at: string, json?: unknown) =>
            call(world, method, at, {
              token: isAdmins(at.split("?")[0]!) ? HARNESS_ADMIN_KEY : token,
              ...(json === undefined ? {} : { json }),
            });
          const idOf = (entry: { readonly id?: string; readonly event?: string; readonly name?: string }) =>
            entry.id ?? entry.event ?? entry.name!;
          const put = (n: number) => (add === undefined ? Effect.void : ask("POST", ...add(n)));
          for (let n = 0; n < 5; n++) yield* put(n);
          const first = (yield* ask("GET", path)).body;
          expect(first.nextCursor).toBeNull();
          const before: ReadonlyArray<string> = first.data.map(idOf);
          expect(before.length).toBeGreaterThanOrEqual(5);
          const seen: Array<string> = [];
          for (let cursor: string | null = "", n = 5; cursor !== null; n++) {
            const { status, body }: { readonly status: number; readonly body: any } = yield* ask(
              "GET",
              `${path}?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
            );
            expect(status).toBe(200);
            expect(body.data.length).toBeLessThanOrEqual(2);
            seen.push(...body.data.map(idOf));
            cursor = body.nextCursor;
            if (n < 8) yield* put(n);
          }
          expect(seen.filter((id) => before.includes(id))).toEqual(before);
          expect(new Set(seen).size).toBe(seen.length);
        }).pipe(Effect.scoped),
    );

    it.live.each(LISTS)("%s refuses an invalid cursor, and a limit above 200 [S2.8-3] [S2.8-4]", ([path]) =>
      Effect.gen(function* () {
        const world = yield* make;
        const token = isAdmins(path) ? HARNESS_ADMIN_KEY : (yield* signIn(world)).body.token;
        for (const [field, query] of [
          ["limit", "limit=201"],
          ["limit", "limit=0"],
          ["cursor", "cursor=nonsense"],
        ]) {
          const { status, body } = yield* call(world, "GET", `${path}?${query}`, { token });
          expect([status, body.code, body.errors?.map((fault: { field: string }) => fault.field)]).toEqual([
            400,
            "invalid_request",
            [field],
          ]);
        }
        expect((yield* call(world, "GET", `${path}?limit=200`, { token })).status).toBe(200);
      }).pipe(Effect.scoped),
    );
  });
