import { it } from "@effect/vitest";
import { type Harness, harness, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { asAdmin, asKey, makeKey } from "./key-world.ts";
import { call, DEMO, MAIL, signIn } from "./send-world.ts";
import { sqliteStores } from "./sql-stores.ts";

interface Item {
  readonly id: string;
  readonly subject: string;
  readonly state: string;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
}

/** A demo account; it signs in for each request, because tokens last an hour. */
const clientOf = (world: Harness, email: string) => {
  const ask = Effect.fnUntraced(function* (method: string, path: string, json?: unknown) {
    return yield* call(world, method, path, yield* signIn(world, email), json);
  });
  return {
    ask,
    send: (subject: string) => Effect.map(ask("POST", "/api/send", { ...MAIL, subject }), ({ body }) => body),
    outbox: Effect.map(ask("GET", "/api/outbox"), ({ body }) => body.data as ReadonlyArray<Item>),
  };
};

const begin = Effect.fnUntraced(function* (made: typeof harness) {
  const world = yield* made;
  const taken: Array<string> = [];
  world.smtp.onTaken = ({ raw }) =>
    void taken.push(/^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1] ?? "none");
  const [demo, friend] = [clientOf(world, DEMO), clientOf(world, "friend@postern.test")];
  const items = Effect.map(Effect.all([demo.outbox, friend.outbox]), (all) => all.flat());
  /** The seconds until the next attempt of each waiting message, by subject. */
  const waits = Effect.map(items, (all) =>
    Object.fromEntries(
      all
        .filter(({ state }) => state === "queued")
        .map(({ subject, nextAttemptAt }) => [subject, (Date.parse(nextAttemptAt!) - world.now()) / 1_000]),
    ),
  );
  const attempts = Effect.map(items, (all) => Object.fromEntries(all.map((one) => [one.subject, one.attempts])));
  const eventTypes = Effect.map(world.events.list(DEMO), (all) => all.map(({ type }) => type));
  return { world, taken, demo, friend, waits, attempts, eventTypes };
});

/** Three messages that wait for the server, of which the first is the probe. */
const outage = Effect.fnUntraced(function* (made: typeof harness) {
  const begun = yield* begin(made);
  begun.world.smtp.isUp = false;
  const probe = yield* begun.demo.send("probe");
  expect(probe.status).toBe("queued");
  yield* begun.demo.send("second");
  yield* begun.friend.send("third");
  expect(yield* begun.waits).toEqual({ probe: 30, second: 60, third: 60 });
  return { ...begun, probe };
});

for (const [name, made] of [
  ["memory", harness],
  ["SQLite", harnessWithStores(Layer.orDie(sqliteStores))],
] as const) {
  const live = (title: string, test: Effect.Effect<void, unknown, never>) => it.live(title, () => test, 60_000);

  describe(`messages that wait for a mail server, in ${name}`, () => {
    live(
      "are tried on their own ladders, and one of them every 30 seconds [S6.4-5] [S6.4-12]",
      Effect.gen(function* () {
        const { world, waits, attempts } = yield* outage(made);
        yield* world.pass("30 seconds");
        // The others are due soon enough.
        expect(yield* waits).toEqual({ probe: 300, second: 30, third: 30 });
        // Both fail at the same moment, and one of them is the probe.
        yield* world.pass("30 seconds");
        expect(Object.values(yield* waits).toSorted((one, other) => one - other)).toEqual([30, 270, 300]);
        yield* world.pass("2 minutes");
        expect(Object.values(yield* attempts).toSorted((one, other) => one - other)).toEqual([2, 2, 6]);
      }).pipe(Effect.scoped),
    );

    live(
      "are sent when the server takes a new message of another account [S6.4-14]",
      Effect.gen(function* () {
        const { world, friend, taken, waits } = yield* outage(made);
        world.smtp.isUp = true;
        expect(yield* friend.send("new")).toMatchObject({ status: "sent" });
        yield* world.pass("1 second");
        expect(taken.toSorted()).toEqual(["new", "probe", "second", "third"]);
        expect(yield* waits).toEqual({});
      }).pipe(Effect.scoped),
    );

    live(
      "are sent when the server takes the probe [S6.4-14]",
      Effect.gen(function* () {
        const { world, taken } = yield* outage(made);
        yield* world.pass("90 minutes");
        world.smtp.isUp = true;
        yield* world.pass("30 seconds");
        expect(taken.toSorted()).toEqual(["probe", "second", "third"]);
      }).pipe(Effect.scoped),
    );

    live(
      "get another probe when it is cancelled [S6.4-13]",
      Effect.gen(function* () {
        const { demo, probe, waits } = yield* outage(made);
        expect((yield* demo.ask("DELETE", `/api/outbox/${probe.id}`)).status).toBe(200);
        expect(Object.values(yield* waits).toSorted((one, other) => one - other)).toEqual([30, 60]);
      }).pipe(Effect.scoped),
    );

    live(
      "get another probe when its account is erased [S6.4-13]",
      Effect.gen(function* () {
        const { demo, world, waits, friend } = yield* outage(made);
        expect((yield* demo.ask("DELETE", "/api/account")).status).toBe(200);
        yield* world.pass("1 second");
        expect((yield* friend.outbox)[0]).toMatchObject({ subject: "third", attempts: 1 });
        expect((yield* waits)["third"]).toBeLessThanOrEqual(30);
      }).pipe(Effect.scoped),
    );

    live(
      "get another probe when its key is deleted [S6.4-13]",
      Effect.gen(function* () {
        const { world, demo, friend, waits } = yield* begin(made);
        yield* demo.outbox;
        const { id, key } = yield* makeKey(world);
        world.smtp.isUp = false;
        yield* asKey(world, key, "POST", "/api/send", { json: { ...MAIL, subject: "probe" } });
        yield* friend.send("second");
        expect(yield* waits).toEqual({ probe: 30, second: 60 });
        expect((yield* asAdmin(world, "DELETE", `/api/keys/${id}`)).status).toBe(200);
        expect(yield* waits).toEqual({ second: 30 });
      }).pipe(Effect.scoped),
    );

    live(
      "do not follow a server that takes some and refuses others more often than every 30 seconds [S6.4-15]",
      Effect.gen(function* () {
        const { world, demo, friend, attempts } = yield* outage(made);
        world.smtp.isUp = true;
        yield* friend.send("one");
        yield* world.pass("1 second");
        world.smtp.isUp = false;
        yield* demo.send("again");
        const before = (yield* attempts)["again"];
        world.smtp.isUp = true;
        yield* friend.send("two");
        yield* world.pass("1 second");
        expect((yield* attempts)["again"]).toBe(before);
        yield* world.pass("30 seconds");
        expect((yield* demo.outbox).every(({ state }) => state === "sent")).toBe(true);
      }).pipe(Effect.scoped),
    );

    live(
      "are sent now on request [S6.6-4]",
      Effect.gen(function* () {
        const { world, demo, friend, probe, taken, attempts } = yield* outage(made);
        const [{ id: second }] = (yield* demo.outbox).filter(({ subject }) => subject === "second") as [Item];
        const path = `/api/outbox/${second}/send-now`;
        expect((yield* friend.ask("POST", path)).status).toBe(404);
        expect(yield* demo.ask("POST", path)).toMatchObject({ status: 200, body: { data: { state: "queued" } } });
        yield* world.pass("1 second");
        expect(yield* attempts).toEqual({ probe: 1, second: 2, third: 1 });
        world.smtp.isUp = true;
        expect((yield* demo.ask("POST", `/api/outbox/${probe.id}/send-now`)).status).toBe(200);
        yield* world.pass("1 second");
        expect(taken.toSorted()).toEqual(["probe", "second", "third"]);
        expect(yield* demo.ask("POST", path)).toMatchObject({ status: 409, body: { code: "not_waiting" } });
      }).pipe(Effect.scoped),
    );

    live(
      "outlast 5 hours, and are sent once",
      Effect.gen(function* () {
        const { world, demo, taken, eventTypes } = yield* begin(made);
        world.smtp.isUp = false;
        yield* demo.send("patient");
        yield* world.pass("5 hours");
        expect((yield* demo.outbox)[0]).toMatchObject({ state: "queued", failure: { reason: "unreachable" } });
        world.smtp.isUp = true;
        yield* world.pass("30 seconds");
        expect((yield* demo.outbox)[0]).toMatchObject({ state: "sent" });
        expect([taken, yield* eventTypes]).toEqual([["patient"], ["email.delayed", "email.sent"]]);
      }).pipe(Effect.scoped),
    );
  });
}

it.live("a message that the server refuses for now fails 4 days after its request, with one event", () =>
  Effect.gen(function* () {
    const { world, demo, eventTypes } = yield* begin(harness);
    world.smtp.conduct = { mail: { code: 451, enhanced: "4.7.1", text: "later" } };
    yield* demo.send("patient");
    yield* world.pass(4 * 86_400_000 - 1);
    expect([(yield* demo.outbox)[0]!.state, yield* eventTypes]).toEqual(["queued", ["email.delayed"]]);
    yield* world.pass(1);
    expect((yield* demo.outbox)[0]).toMatchObject({ state: "failed", failure: { reason: "sender_refused" } });
    expect(yield* eventTypes).toEqual(["email.delayed", "email.failed"]);
  }).pipe(Effect.scoped),
);
