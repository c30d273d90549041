import { assert, it } from "@effect/vitest";
import { makeClient } from "@postern/client";
import { Effect } from "effect";
import { FetchHttpClient } from "effect/http";
import { harness } from "../src/index.ts";

it.live("the typed client speaks to the service by its contract", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { request, pass } = yield* harness;
      const postern = yield* Effect.provide(makeClient({ baseUrl: "http://postern.test" }), FetchHttpClient.layer);
      const fetch: typeof globalThis.fetch = (input, init) => Effect.runPromise(request(new Request(input, init)));
      yield* Effect.gen(function* () {
        const refused = yield* Effect.flip(postern.signIn("demo@postern.test", "wrong"));
        assert.strictEqual(refused._tag, "invalid_credentials");
        yield* postern.signIn("demo@postern.test", "demo");
        const { folders } = yield* postern.folders.list();
        assert.isTrue(folders.some(({ id }) => id === "inbox"));
        const page = yield* postern.inbox.list({ query: { limit: 2 } });
        assert.strictEqual(page.emails.length, 2);

        // The access token has run out, and the client has it renewed without a word.
        yield* pass("61 minutes");
        yield* Effect.forEach([1, 2, 3], () => postern.folders.list(), { concurrency: "unbounded" });
        yield* postern.auth.logout();
        assert.strictEqual((yield* Effect.flip(postern.folders.list()))._tag, "unauthorized");
      }).pipe(Effect.provideService(FetchHttpClient.Fetch, fetch));
    }),
  ),
);
