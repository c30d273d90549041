import { it } from "@effect/vitest";
import { type Harness, harness, HARNESS_START, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { signIn } from "./call.ts";
import { asAdmin, asKey, makeKey } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LATER = { code: 451, enhanced: "4.3.0", text: "later" };

const begin = Effect.fnUntraced(function* (made: Effect.Effect<Harness, unknown, any>) {
  const world = yield* made as typeof harness;
  yield* signIn(world);
  const subjects: Array<string> = [];
  world.smtp.onTaken = ({ raw }) =>
    void subjects.push(/^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1] ?? "none");
  return { world, subjects };
});

const send = (world: Harness, key: string, subject: string, more: object = {}) =>
  asKey(world, key, "POST", "/api/send", { json: { to: "friend@postern.test", subject, text: "Hi", ...more } });

const later = (millis: number) => ({ sendAt: new Date(HARNESS_START + millis).toISOString() });

const change = Effect.fnUntraced(function* (world: Harness, what: string, chosen: object) {
  const { status, body } = yield* asAdmin(world, "POST", `/api/admin/outbox/${what}`, chosen);
  expect(status).toBe(200);
  return body.data as { readonly messages: number; readonly sending: number };
});

const statesOf = Effect.fnUntraced(function* (world: Harness, query = "") {
  const { body } = yield* asAdmin(world, "GET", `/api/admin/outbox?${query}`);
  return (body.data as ReadonlyArray<{ readonly state: string }>).map(({ state }) => state);
});

/** A message whose attempt runs for five seconds and ends with this answer to its dot. */
const sendSlowly = Effect.fnUntraced(function* (world: Harness, key: string, dot?: typeof LATER) {
  world.smtp.conduct = { ...(dot === undefined ? {} : { dot }), delay: 5_000 };
  yield* Effect.forkScoped(send(world, key, "slow"));
  yield* world.smtp.nextAnswer;
});

for (const [name, made] of [
  ["memory", harness],
  ["SQLite", harnessWithStores(Layer.orDie(sqliteStores))],
] as const) {
  describe(`the outbox of the operator, in ${name}`, () => {
    it.live("has the envelopes of all accounts, and no contents [S6.7-1]", () =>
      Effect.gen(function* () {
        const { world } = yield* begin(made);
        const one = yield* makeKey(world, { application: "one" });
        const two = yield* makeKey(world, { application: "two" });
        for (const { key } of [one, one, two]) yield* send(world, key, "secret", later(HOUR));
        const { body } = yield* asAdmin(world, "GET", `/api/admin/outbox?application=one&state=scheduled`);
        expect(body.data).toHaveLength(2);
        expect(body.data[0]).toMatchObject({
          application: "one",
          key: one.id,
          account: { email: "demo@postern.test" },
          from: "demo@postern.test",
          recipients: [{ address: "friend@postern.test", state: "queued" }],
          heldBy: null,
        });
        expect(JSON.stringify(body)).not.toMatch(/secret|subject|"text"/);
        expect(yield* statesOf(world, `key=${two.id}&account=demo@postern.test`)).toEqual(["scheduled"]);
        expect(yield* statesOf(world, "state=sent")).toEqual([]);
        for (const query of ["state=none", "aplication=one"])
          expect((yield* asAdmin(world, "GET", `/api/admin/outbox?${query}`)).status).toBe(400);
        expect((yield* asKey(world, one.key, "GET", "/api/admin/outbox")).status).toBe(403);
      }).pipe(Effect.scoped),
    );

    it.live("is read message by message, and by state, key and Message-ID, by the account [S6.6-12] [S6.6-13]", () =>
      Effect.gen(function* () {
        const { world } = yield* begin(made);
        const one = yield* makeKey(world);
        const two = yield* makeKey(world);
        const { body: sent } = yield* send(world, one.key, "sent");
        yield* send(world, one.key, "mine", later(HOUR));
        yield* send(world, two.key, "other", later(HOUR));
        const found = Effect.fnUntraced(function* (query: string) {
          const { body } = yield* asKey(world, one.key, "GET", `/api/outbox?${query}`);
          return (body.data as ReadonlyArray<{ readonly subject: string }>).map(({ subject }) => subject).toSorted();
        });
        expect(yield* found("state=scheduled")).toEqual(["mine", "other"]);
        expect(yield* found(`key=${one.id}`)).toEqual(["mine", "sent"]);
        expect(yield* found(`messageId=${encodeURIComponent(sent.messageId)}`)).toEqual(["sent"]);
        for (const query of ["state=none", "stat=sent"])
          expect((yield* asKey(world, one.key, "GET", `/api/outbox?${query}`)).status).toBe(400);
        const read = (id: string, account = "demo@postern.test") =>
          asKey(world, one.key, "GET", `/api/outbox/${id}`, { account });
        expect((yield* read(sent.id)).body.data).toMatchObject({ id: sent.id, state: "sent", key: one.id });
        yield* signIn(world, "demo", "friend@postern.test");
        expect((yield* read(sent.id, "friend@postern.test")).body.code).toBe("outgoing_not_found");
        expect((yield* read("out_none")).body.code).toBe("outgoing_not_found");
      }).pipe(Effect.scoped),
    );

    it.live("changes nothing for an unknown field, for no field, and for a key that is no admin's [S6.7-4]", () =>
      Effect.gen(function* () {
        const { world } = yield* begin(made);
        const { key, application } = yield* makeKey(world);
        yield* send(world, key, "one", later(HOUR));
        for (const what of ["hold", "release", "cancel"]) {
          for (const chosen of [{ aplication: application }, { application, subject: "one" }, {}, { state: "none" }])
            expect((yield* asAdmin(world, "POST", `/api/admin/outbox/${what}`, chosen)).status).toBe(400);
          const foreign = yield* asKey(world, key, "POST", `/api/admin/outbox/${what}`, { json: { application } });
          expect(foreign.status).toBe(403);
        }
        expect(yield* statesOf(world)).toEqual(["scheduled"]);
      }).pipe(Effect.scoped),
    );

    it.live("holds, releases and cancels only the chosen messages [S6.7-2] [S6.7-5]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(made);
        const one = yield* makeKey(world, { application: "one" });
        const two = yield* makeKey(world, { application: "two" });
        for (const [key, subject] of [
          [one, "a"],
          [one, "b"],
          [two, "c"],
        ] as const)
          yield* send(world, key.key, subject, later(HOUR));
        expect(yield* change(world, "hold", { application: "one" })).toEqual({ messages: 2, sending: 0 });
        expect(yield* change(world, "hold", { application: "one" })).toEqual({ messages: 0, sending: 0 });
        yield* world.pass("2 hours");
        expect(subjects).toEqual(["c"]);
        // Neither a key of the application nor the account's owner undoes what the operator does.
        const { body } = yield* asKey(world, one.key, "GET", "/api/outbox?state=held");
        const [first] = body.data as ReadonlyArray<{ readonly id: string }>;
        const tried = yield* asKey(world, one.key, "POST", `/api/outbox/${first!.id}/release`);
        expect([tried.status, tried.body.code]).toEqual([409, "not_releasable"]);
        expect(yield* change(world, "release", { state: "held", application: "one" })).toEqual({
          messages: 2,
          sending: 0,
        });
        yield* world.pass("1 second");
        expect(subjects.toSorted()).toEqual(["a", "b", "c"]);
        yield* send(world, two.key, "d", later(4 * HOUR));
        yield* send(world, one.key, "e", later(4 * HOUR));
        expect(yield* change(world, "cancel", { key: two.id })).toEqual({ messages: 1, sending: 0 });
        yield* world.pass("5 hours");
        expect(subjects.toSorted()).toEqual(["a", "b", "c", "e"]);
        expect(yield* statesOf(world, `key=${two.id}`)).toEqual(["cancelled", "sent"]);
      }).pipe(Effect.scoped),
    );

    it.live("holds a message in flight once its attempt has failed, and leaves an accepted one alone [S6.7-3]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(made);
        const { key, application } = yield* makeKey(world);
        yield* sendSlowly(world, key, LATER);
        expect(yield* change(world, "hold", { application })).toEqual({ messages: 0, sending: 1 });
        expect(yield* statesOf(world)).toEqual(["sending"]);
        world.smtp.conduct = { dot: LATER, delay: 5_000 };
        yield* world.pass("6 seconds");
        expect(yield* statesOf(world)).toEqual(["held"]);
        world.smtp.conduct = {};
        yield* world.pass("1 hour");
        expect(subjects).toEqual([]);
        yield* change(world, "release", { application });
        yield* world.pass("1 second");
        expect([subjects, yield* statesOf(world)]).toEqual([["slow"], ["sent"]]);
        yield* sendSlowly(world, key);
        expect(yield* change(world, "cancel", { application })).toEqual({ messages: 0, sending: 1 });
        yield* world.pass("1 minute");
        expect([subjects, yield* statesOf(world)]).toEqual([
          ["slow", "slow"],
          ["sent", "sent"],
        ]);
      }).pipe(Effect.scoped),
    );

    it.live("cancels a message whose attempt fails meanwhile, and forgets a hold that was released [S6.7-3]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(made);
        const { key, application } = yield* makeKey(world);
        yield* sendSlowly(world, key, LATER);
        yield* change(world, "cancel", { application });
        yield* world.pass("6 seconds");
        expect(yield* statesOf(world)).toEqual(["cancelled"]);
        yield* sendSlowly(world, key, LATER);
        yield* change(world, "hold", { application });
        expect(yield* change(world, "release", { application })).toEqual({ messages: 0, sending: 1 });
        yield* world.pass("6 seconds");
        expect(yield* statesOf(world)).toEqual(["queued", "cancelled"]);
        world.smtp.conduct = {};
        yield* world.pass("10 minutes");
        expect([subjects, yield* statesOf(world)]).toEqual([["slow"], ["sent", "cancelled"]]);
      }).pipe(Effect.scoped),
    );

    it.live("does not count the time of a hold: a message held for longer than it may wait is sent [S6.7-5]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(made);
        const { key, application } = yield* makeKey(world);
        world.smtp.conduct = { data: LATER };
        yield* send(world, key, "patient");
        yield* change(world, "hold", { application });
        yield* world.pass(10 * DAY);
        expect(yield* statesOf(world)).toEqual(["held"]);
        yield* change(world, "release", { application });
        yield* world.pass("1 second");
        expect(yield* statesOf(world)).toEqual(["queued"]);
        yield* world.pass(3 * DAY);
        expect(yield* statesOf(world)).toEqual(["queued"]);
        world.smtp.conduct = {};
        yield* world.pass("3 hours");
        expect([subjects, yield* statesOf(world)]).toEqual([["patient"], ["sent"]]);
      }).pipe(Effect.scoped),
    );

    it.live(
      "releases the mail of a deleted key, and cancels mail that was not released for 30 days [S6.7-5] [S6.6-9]",
      () =>
        Effect.gen(function* () {
          const { world, subjects } = yield* begin(made);
          const gone = yield* makeKey(world, { application: "crm" });
          yield* send(world, gone.key, "left", later(HOUR));
          yield* asAdmin(world, "DELETE", `/api/keys/${gone.id}`);
          const other = yield* makeKey(world);
          yield* send(world, other.key, "forgotten", later(HOUR));
          yield* change(world, "hold", { key: other.id });
          expect((yield* change(world, "release", { key: gone.id })).messages).toBe(1);
          yield* world.pass("2 hours");
          expect(subjects).toEqual(["left"]);
          yield* world.pass(30 * DAY);
          expect(yield* statesOf(world, `key=${other.id}`)).toEqual(["cancelled"]);
        }).pipe(Effect.scoped),
    );
  });
}
