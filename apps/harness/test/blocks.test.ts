import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";

const DEMO = AccountId("demo@postern.test");
const BLOCKS = "/api/settings/blocks";

const raw = (from: string, subject: string) =>
  Buffer.from(`From: Pest <${from}>\r\nTo: demo@postern.test\r\nSubject: ${subject}\r\n\r\nBuy.\r\n`);

const start = Effect.gen(function* () {
  const world = yield* harness;
  const { token } = (yield* signIn(world)).body;
  const ask = (method: string, path: string, json?: unknown) =>
    call(world, method, path, { token, ...(json === undefined ? {} : { json }) });
  const inbox = world.mail.account(DEMO).mailbox("INBOX");
  const subjects = (folder: string) =>
    Effect.map(ask("GET", `/api/inbox?folder=${folder}&limit=5`), ({ body }) =>
      (body.emails as ReadonlyArray<{ readonly subject: string }>).map(({ subject }) => subject),
    );
  return { world, ask, inbox, subjects };
});

describe("blocked senders", () => {
  it.live("are listed once in any spelling, and can be unblocked [S5.9-1]", () =>
    Effect.gen(function* () {
      const { ask } = yield* start;
      const first = yield* ask("POST", BLOCKS, { address: "Pest@noise.test" });
      expect(first).toMatchObject({ status: 200, body: { data: { address: "Pest@noise.test" } } });
      expect((yield* ask("POST", BLOCKS, { address: "pest@NOISE.test" })).body).toEqual(first.body);
      expect((yield* ask("GET", BLOCKS)).body.data).toEqual([first.body.data]);
      const { id } = first.body.data;
      expect((yield* ask("DELETE", `${BLOCKS}/${id}`)).body).toEqual({ ok: true, data: { id, deleted: true } });
      expect(yield* ask("DELETE", `${BLOCKS}/${id}`)).toMatchObject({ status: 404, body: { code: "block_not_found" } });
      const bad = yield* ask("POST", BLOCKS, { address: "Pest <pest@noise.test>" });
      expect(bad).toMatchObject({ status: 400, body: { errors: [{ field: "address" }] } });
    }).pipe(Effect.scoped),
  );

  it.live(
    "have their arrivals moved to Junk without an event of INBOX, though nothing else watches [S5.9-2] [S5.9-3]",
    () =>
      Effect.gen(function* () {
        const { world, ask, inbox, subjects } = yield* start;
        inbox.append(raw("pest@noise.test", "before"), world.now());
        yield* ask("POST", BLOCKS, { address: "pest@noise.test" });
        yield* world.pass("5 minutes");
        inbox.append(raw("PEST@noise.test", "offer"), world.now());
        inbox.append(raw("ann@y.test", "letter"), world.now());
        yield* world.pass("1 minute");
        expect((yield* subjects("inbox")).slice(0, 2)).toEqual(["letter", "before"]);
        expect((yield* subjects("junk"))[0]).toBe("offer");
        const events = yield* Effect.orDie(world.events.list(DEMO));
        expect(events.map(({ type }) => type)).toEqual(["email.received"]);
      }).pipe(Effect.scoped),
  );

  it.live("keep a message in INBOX that Postern moved back there [S5.9-4]", () =>
    Effect.gen(function* () {
      const { world, ask, inbox, subjects } = yield* start;
      yield* ask("POST", BLOCKS, { address: "pest@noise.test" });
      inbox.append(raw("pest@noise.test", "offer"), world.now());
      yield* world.pass("1 minute");
      const { id } = (yield* ask("GET", "/api/inbox?folder=junk&limit=1")).body.emails[0];
      expect((yield* ask("PATCH", `/api/messages/${id}`, { folderId: "inbox" })).status).toBe(200);
      yield* world.pass("5 minutes");
      expect(yield* subjects("inbox")).toContain("offer");
    }).pipe(Effect.scoped),
  );
});
