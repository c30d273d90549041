import { it } from "@effect/vitest";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { makeKey } from "./key-world.ts";

/** A key with these scopes, and the messages and folders of the demo account. */
const world = Effect.fnUntraced(function* (scopes: ReadonlyArray<string>) {
  const service = yield* harness;
  yield* signIn(service);
  const { key } = yield* makeKey(service, { scopes: [...scopes, "mail:read"] });
  const ask = (method: string, path: string, json?: unknown) =>
    call(service, method, path, {
      token: key,
      headers: { "postern-account": "demo@postern.test" },
      ...(json === undefined ? {} : { json }),
    });
  const inbox = Effect.map(ask("GET", "/api/inbox"), ({ body }): ReadonlyArray<string> =>
    body.emails.map(({ id }: { readonly id: string }) => id),
  );
  return { ask, inbox };
});

/** Requests by what they need, with a message to make them about. */
const REQUESTS = {
  "mail:organize": [
    ["PATCH", "/api/messages/{id}", { flagged: true }],
    ["POST", "/api/messages/batch", { ids: ["{id}"], change: { unread: false } }],
    ["POST", "/api/messages/batch", { ids: ["{id}"], delete: "trash" }],
    ["DELETE", "/api/messages/{id}?permanent=false", undefined],
    ["DELETE", "/api/messages/{id}", undefined],
  ],
  "mail:delete": [
    ["DELETE", "/api/messages/{id}?permanent=true", undefined],
    ["POST", "/api/messages/batch", { ids: ["{id}"], delete: "permanent" }],
    ["POST", "/api/messages/batch", { query: { subject: "e" }, delete: "permanent" }],
    ["POST", "/api/settings/folders", { name: "Made" }],
  ],
} as const;

describe("a key with a part of mail:write", () => {
  it.live.each(["mail:organize", "mail:delete"] as const)("%s does its own part only [S10.2-26]", (scope) =>
    Effect.gen(function* () {
      const { ask, inbox } = yield* world([scope]);
      for (const [needed, requests] of Object.entries(REQUESTS)) {
        for (const [method, path, json] of requests) {
          const before = yield* inbox;
          const about = (text: string) => text.replace("{id}", before[0]!);
          const body = json === undefined ? undefined : JSON.parse(about(JSON.stringify(json)));
          const answer = yield* ask(method, about(path), body);
          if (needed === scope) expect([method, path, answer.status]).toEqual([method, path, 200]);
          else {
            expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, "insufficient_scope"]);
            expect(answer.headers.get("www-authenticate")).toContain(needed);
            expect(yield* inbox).toEqual(before);
          }
        }
      }
    }).pipe(Effect.scoped),
  );

  it.live("mail:write does both", () =>
    Effect.gen(function* () {
      const { ask, inbox } = yield* world(["mail:write"]);
      for (const [method, path, json] of Object.values(REQUESTS).flat()) {
        const [id] = yield* inbox;
        if (id === undefined) break;
        const about = (text: string) => text.replace("{id}", id);
        const body = json === undefined ? undefined : JSON.parse(about(JSON.stringify(json)));
        expect([path, (yield* ask(method, about(path), body)).status]).toEqual([path, 200]);
      }
    }).pipe(Effect.scoped),
  );
});
