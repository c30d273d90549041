import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  yield* call(world, "GET", "/api/folders", { token });
  const sent = world.mail.account(DEMO).mailbox("Sent");
  const write = (to: string) =>
    sent.append(Buffer.from(`From: demo@postern.test\r\nTo: ${to}\r\nSubject: s\r\n\r\nx\r\n`), world.now());
  const find = (query: string) =>
    Effect.map(call(world, "GET", `/api/contacts?query=${query}`, { token }), ({ body }) => {
      const { data } = body as { data: ReadonlyArray<{ readonly id: string; readonly address: string }> };
      return data.map(({ id, address }) => ({ id, address }));
    });
  const forget = (id: string) => call(world, "DELETE", `/api/contacts/${id}`, { token });
  return { world, token, write, find, forget };
});

describe("contacts", () => {
  it.live("are the people of all mail in Sent, and of later mail in it [S12.5-1] [S12.5-2]", () =>
    Effect.gen(function* () {
      const { world, token, write, find } = yield* start;
      write("Zelda Farrow <zelda@far.test>");
      for (let n = 0; n < 1_200; n++) write(`Person ${n} <p${n}@y.test>`);
      expect(yield* find("zeld")).toMatchObject([{ address: "zelda@far.test" }]);
      expect(yield* find("FARROW")).toMatchObject([{ address: "zelda@far.test" }]);
      write("Zelda Two <zelda2@far.test>, Zelda Farrow <zelda@far.test>");
      yield* world.pass("1 minute");
      expect((yield* find("zeld")).map(({ address }) => address).toSorted()).toEqual([
        "zelda2@far.test",
        "zelda@far.test",
      ]);
      const refused = yield* call(world, "GET", "/api/contacts?limit=0", { token });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: "limit" }] } });
    }).pipe(Effect.scoped),
  );

  it.live("are found in an account whose folders no request has listed [S12.5-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const text = "From: demo@postern.test\r\nTo: zelda@far.test\r\nSubject: s\r\n\r\nx\r\n";
      world.mail.account(DEMO).mailbox("Sent").append(Buffer.from(text), world.now());
      const found = yield* call(world, "GET", "/api/contacts?query=zeld", { token });
      expect(found).toMatchObject({ body: { data: [{ address: "zelda@far.test" }] } });
    }).pipe(Effect.scoped),
  );

  it.live("are listed in pages, of which only the first reads mail", () =>
    Effect.gen(function* () {
      const { world, token, write } = yield* start;
      for (let n = 0; n < 5; n++) write(`p${n}@y.test`);
      const page = (query: string) => call(world, "GET", `/api/contacts?query=@y.test&limit=2${query}`, { token });
      const found: Array<string> = [];
      let cursor: string | null = null;
      do {
        const { body } = (yield* page(cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`)) as {
          readonly body: { readonly data: ReadonlyArray<{ address: string }>; readonly nextCursor: string | null };
        };
        found.push(...body.data.map(({ address }) => address));
        cursor = body.nextCursor;
        yield* world.pass("1 minute");
        write("later@y.test");
      } while (cursor !== null);
      expect(found.toSorted()).toEqual(Array.from({ length: 5 }, (_, n) => `p${n}@y.test`));
      expect(yield* page("&cursor=x")).toMatchObject({ status: 400, body: { errors: [{ field: "cursor" }] } });
    }).pipe(Effect.scoped),
  );

  it.live("stay forgotten until they are written to again [S12.5-3]", () =>
    Effect.gen(function* () {
      const { world, write, find, forget } = yield* start;
      write("Zelda <zelda@far.test>");
      const [zelda] = yield* find("zeld");
      yield* world.pass("1 minute");
      expect((yield* forget(zelda!.id)).body).toEqual({ ok: true, data: { id: zelda!.id, deleted: true } });
      expect(yield* find("zeld")).toEqual([]);
      expect(yield* forget(zelda!.id)).toMatchObject({ status: 404, body: { code: "contact_not_found" } });
      yield* world.pass("1 minute");
      write("zelda@far.test");
      expect(yield* find("zeld")).toEqual([zelda]);
    }).pipe(Effect.scoped),
  );
});
