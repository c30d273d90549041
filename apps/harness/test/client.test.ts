import { assert, it } from "@effect/vitest";
import { createClient } from "@postern/client";
import { makeClient } from "@postern/client/effect";
import { Effect } from "effect";
import { harness } from "../src/index.ts";

const BASE = { baseUrl: "http://postern.test" };

const MAIL = { to: "friend@postern.test", subject: "Once", text: "." };

const world = Effect.map(harness, (service) => {
  const fetch: typeof globalThis.fetch = (input, init) => Effect.runPromise(service.request(new Request(input, init)));
  return { ...service, fetch };
});

it.live("the client for Effect calls the service by its contract", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { fetch, pass } = yield* world;
      const postern = yield* makeClient({ ...BASE, fetch });
      const refused = yield* Effect.flip(postern.signIn("demo@postern.test", "wrong"));
      assert.strictEqual(refused._tag, "invalid_credentials");
      yield* postern.signIn("demo@postern.test", "demo");
      const { folders } = yield* postern.folders.list();
      assert.isTrue(folders.some(({ id }) => id === "inbox"));
      const page = yield* postern.inbox.list({ query: { limit: 2 } });
      assert.strictEqual(page.emails.length, 2);

      // The access token has expired; the client refreshes it.
      yield* pass("61 minutes");
      yield* Effect.forEach([1, 2, 3], () => postern.folders.list(), { concurrency: "unbounded" });
      yield* postern.auth.logout();
      assert.strictEqual((yield* Effect.flip(postern.folders.list()))._tag, "unauthorized");
    }),
  ),
);

it.live("the client sends a message once even if answers are lost", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { fetch, smtp } = yield* world;
      let taken = 0;
      smtp.onTaken = () => taken++;
      let lost = 0;
      const losing: typeof globalThis.fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (!String(input).endsWith("/api/send") || lost === 2) return response;
        lost++;
        throw new TypeError("terminated");
      };
      yield* Effect.promise(async () => {
        const postern = createClient({ ...BASE, fetch: losing });
        await postern.signIn("demo@postern.test", "demo");
        const { id } = await postern("POST /api/send", { payload: MAIL });
        assert.deepStrictEqual([taken, lost], [1, 2]);
        const { data: outbox } = await postern("GET /api/outbox");
        assert.deepStrictEqual(
          outbox.map((message) => message.id),
          [id],
        );
      });
    }),
  ),
);
