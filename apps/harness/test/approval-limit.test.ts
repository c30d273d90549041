import { it } from "@effect/vitest";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { DEMO, makeKey } from "./key-world.ts";

describe("a message that an agent requests beyond its daily limit", () => {
  it.live("leaves no draft, and does not use up its Idempotency-Key [S13.1-3] [S6.5-5]", () =>
    Effect.gen(function* () {
      const service = yield* harness;
      const owner: string = (yield* signIn(service)).body.token;
      const { key } = yield* makeKey(service, { scopes: ["mail:read", "mail:draft"], sendPerDay: 1 });
      const ask = (subject: string, name: string) =>
        call(service, "POST", "/api/send", {
          token: key,
          headers: { "postern-account": DEMO, "idempotency-key": name },
          json: { to: "eve@evil.test", subject, text: "words" },
        });
      expect((yield* ask("first", "one")).status).toBe(202);
      const refused = { status: 429, body: { code: "send_rate_exceeded" } };
      expect(yield* ask("second", "two")).toMatchObject(refused);
      expect(yield* ask("other words", "two")).toMatchObject(refused);
      const { body } = yield* call(service, "GET", "/api/drafts", { token: owner });
      expect(body.data.map((draft: { readonly subject: string }) => draft.subject)).not.toContain("second");
    }).pipe(Effect.scoped),
  );
});
