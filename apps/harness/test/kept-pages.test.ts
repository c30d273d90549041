import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";
import { readEventStream } from "./event-stream.ts";

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  const inbox = world.mail.account(AccountId("demo@postern.test")).mailbox("INBOX");
  const get = Effect.fnUntraced(function* (headers: Record<string, string> = {}) {
    const response = yield* world.request(
      new Request(new URL("/api/inbox?limit=1", HARNESS_URL), {
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
    );
    const text = yield* Effect.promise(() => response.text());
    const page = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, etag: response.headers.get("etag")!, age: response.headers.get("age"), page };
  });
  const arrive = (subject: string) =>
    Effect.sync(() => inbox.append(Buffer.from(`Subject: ${subject}\r\n\r\n.`), Date.UTC(2026, 0, 1)));
  return { world, token, inbox, get, arrive };
});

it.live("a page is answered 304 while the client's copy is current [S5.1-13]", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { get, arrive } = yield* start;
      const { etag, page } = yield* get();
      expect(yield* get({ "if-none-match": etag })).toMatchObject({ status: 304, etag, page: undefined });
      expect(yield* get({ "if-none-match": `W/"other", ${etag}` })).toMatchObject({ status: 304 });
      yield* arrive("new");
      const changed = yield* get({ "if-none-match": etag });
      expect(changed).toMatchObject({ status: 200, page: { total: page.total + 1, emails: [{ subject: "new" }] } });
      expect(changed.etag).not.toBe(etag);
    }),
  ),
);

it.live(
  "a page of a watched INBOX may be as old as the client allows, but shows the client's own changes [S5.1-11] [S5.1-12]",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { world, token, inbox, get } = yield* start;
        const stream = yield* world.request(
          new Request(new URL("/api/events", HARNESS_URL), { headers: { authorization: `Bearer ${token}` } }),
        );
        const events = readEventStream(stream);
        yield* Effect.addFinalizer(() => Effect.promise(() => events.close()));
        yield* world.pass("3 seconds");
        const { page } = yield* get();
        yield* world.pass("5 seconds");
        expect(yield* get({ "cache-control": "max-age=10" })).toMatchObject({ status: 200, age: "5" });
        expect(yield* get({ "cache-control": "max-age=4" })).toMatchObject({ age: "0" });
        expect(yield* get()).toMatchObject({ age: "0" });
        yield* world.pass("59 seconds");
        expect(yield* get({ "cache-control": "max-age=3600" })).toMatchObject({ age: "59" });
        yield* world.pass("2 seconds");
        expect(yield* get({ "cache-control": "max-age=3600" })).toMatchObject({ age: "0" });

        const { id, flagged } = page.emails[0];
        yield* call(world, "PATCH", `/api/messages/${id}`, { token, json: { flagged: !flagged } });
        const after = yield* get({ "cache-control": "max-age=60" });
        expect(after.page.emails[0].flagged).toBe(!flagged);
        inbox.find(page.emails[0].uid)!.flags = new Set(["\\Seen"]);
        yield* world.pass("3 seconds");
        expect((yield* get({ "cache-control": "max-age=60" })).page.emails[0].flagged).toBe(false);
      }),
    ),
);
