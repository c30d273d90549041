import { it } from "@effect/vitest";
import { type Harness, harness, HARNESS_START, harnessWithStores } from "@postern/harness";
import { Effect, Fiber, Layer } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { asAdmin, asKey, DEMO, makeKey } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const LATER = { code: 451, enhanced: "4.3.0", text: "later" };
const HOOK = "https://hook.test/crm";

const begin = Effect.fnUntraced(function* (made: Effect.Effect<Harness, unknown, any>) {
  const world = yield* made as typeof harness;
  yield* signIn(world);
  const [subjects, events]: [Array<string>, Array<string>] = [[], []];
  world.smtp.onTaken = ({ raw }) =>
    void subjects.push(/^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1] ?? "none");
  world.receivers.set(HOOK, {
    reply: ({ body }) => {
      events.push(JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)).data.subject);
      return { status: 200 };
    },
  });
  return { world, subjects, events };
});

const send = (world: Harness, key: string, subject: string, more: object = {}) =>
  asKey(world, key, "POST", "/api/send", { json: { to: "friend@postern.test", subject, text: "Hi", ...more } });

const inAnHour = { sendAt: new Date(HARNESS_START + 3_600_000).toISOString() };

const suspend = (world: Harness, name: string) => asAdmin(world, "POST", `/api/applications/${name}/suspend`);
const resume = (world: Harness, name: string) => asAdmin(world, "POST", `/api/applications/${name}/resume`);

const outbox = Effect.fnUntraced(function* (world: Harness) {
  const { body } = yield* asAdmin(world, "GET", "/api/admin/outbox");
  return (body.data as ReadonlyArray<{ readonly state: string; readonly heldBy: string | null }>).map(
    ({ state, heldBy }) => [state, heldBy],
  );
});

for (const [name, made] of [
  ["memory", harness],
  ["SQLite", harnessWithStores(Layer.orDie(sqliteStores))],
] as const) {
  describe(`a suspended application, in ${name}`, () => {
    it.live("is refused until it is resumed, and no other is [S10.2-27]", () =>
      Effect.gen(function* () {
        const { world } = yield* begin(made);
        const crm = yield* makeKey(world, { application: "crm" });
        const other = yield* makeKey(world);
        expect((yield* suspend(world, "none")).body.code).toBe("application_not_found");
        expect((yield* asKey(world, other.key, "POST", "/api/applications/crm/suspend")).status).toBe(403);
        for (let n = 0; n < 2; n++)
          expect((yield* suspend(world, "crm")).body.data).toEqual({ id: "crm", suspended: true });
        for (const path of ["/api/inbox", "/api/accounts", "/api/outbox"]) {
          const { status, body } = yield* asKey(world, crm.key, "GET", path);
          expect([status, body.code]).toEqual([403, "application_suspended"]);
        }
        expect((yield* asKey(world, other.key, "GET", "/api/inbox")).status).toBe(200);
        // A new key of the application is one of a suspended application.
        const late = yield* makeKey(world, { application: "crm" });
        expect((yield* asKey(world, late.key, "GET", "/api/inbox")).status).toBe(403);
        for (let n = 0; n < 2; n++)
          expect((yield* resume(world, "crm")).body.data).toEqual({ id: "crm", suspended: false });
        for (const { key } of [crm, late]) expect((yield* asKey(world, key, "GET", "/api/inbox")).status).toBe(200);
      }).pipe(Effect.scoped),
    );

    it.live("is suspended for a read of the feed that waits already [S7.10-7] [S10.2-27]", () =>
      Effect.gen(function* () {
        const { world } = yield* begin(made);
        const crm = yield* makeKey(world, { application: "crm" });
        const read = (query: string) => call(world, "GET", `/api/changes?${query}`, { token: crm.key });
        const { next } = (yield* read("")).body;
        const waiting = yield* Effect.forkChild(read(`after=${next}&wait=20`));
        yield* world.pass("5 seconds");
        yield* suspend(world, "crm");
        yield* world.pass("20 seconds");
        const { status, body } = yield* Fiber.join(waiting);
        expect([status, body.code]).toEqual([403, "application_suspended"]);
      }).pipe(Effect.scoped),
    );

    it.live(
      "sends its mail once it is resumed, however long it may wait otherwise [S10.2-28] [S10.2-30] [S6.6-14]",
      () =>
        Effect.gen(function* () {
          const { world, subjects } = yield* begin(made);
          const crm = yield* makeKey(world, { application: "crm" });
          const other = yield* makeKey(world);
          world.smtp.conduct = { data: LATER };
          const { body: tried } = yield* send(world, crm.key, "tried");
          world.smtp.conduct = {};
          yield* send(world, crm.key, "scheduled", inAnHour);
          yield* send(world, other.key, "other", inAnHour);
          yield* suspend(world, "crm");
          yield* world.pass("10 days");
          expect(subjects).toEqual(["other"]);
          const { token } = (yield* signIn(world)).body;
          const owners = yield* asKey(world, token, "POST", `/api/outbox/${tried.id}/release`);
          expect([owners.status, owners.body.code]).toEqual([409, "not_releasable"]);
          const { body: released } = yield* asAdmin(world, "POST", "/api/admin/outbox/release", { application: "crm" });
          expect(released.data.messages).toBe(0);
          yield* resume(world, "crm");
          yield* world.pass("1 second");
          expect(subjects.toSorted()).toEqual(["other", "scheduled", "tried"]);
        }).pipe(Effect.scoped),
    );

    it.live("holds a message whose attempt ran meanwhile, and what the operator holds stays held [S10.2-28]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(made);
        const crm = yield* makeKey(world, { application: "crm" });
        yield* send(world, crm.key, "operator's", inAnHour);
        yield* asAdmin(world, "POST", "/api/admin/outbox/hold", { application: "crm" });
        yield* world.pass("1 second");
        world.smtp.conduct = { dot: LATER, delay: 5_000 };
        yield* Effect.forkScoped(send(world, crm.key, "slow"));
        yield* world.smtp.nextAnswer;
        yield* suspend(world, "crm");
        yield* world.pass("6 seconds");
        world.smtp.conduct = {};
        yield* world.pass("1 hour");
        expect([subjects, yield* outbox(world)]).toEqual([
          [],
          [
            ["held", "suspension"],
            ["held", "operator"],
          ],
        ]);
        yield* resume(world, "crm");
        yield* world.pass("1 second");
        expect([subjects, yield* outbox(world)]).toEqual([
          ["slow"],
          [
            ["sent", null],
            ["held", "operator"],
          ],
        ]);
      }).pipe(Effect.scoped),
    );

    it.live("gets its events once it is resumed [S10.2-29] [S10.2-30]", () =>
      Effect.gen(function* () {
        const { world, subjects, events } = yield* begin(made);
        const crm = yield* makeKey(world, { application: "crm" });
        const other = yield* makeKey(world);
        const ask = (path: string, json: unknown) => call(world, "POST", path, { token: crm.key, json });
        expect((yield* ask("/api/accounts", { email: DEMO, password: "demo" })).status).toBe(200);
        expect((yield* ask("/api/settings/webhooks", { url: HOOK, events: ["email.sent"] })).status).toBe(200);
        yield* send(world, crm.key, "before");
        yield* world.pass("1 minute");
        expect(events).toEqual(["before"]);
        yield* suspend(world, "crm");
        yield* send(world, other.key, "meanwhile");
        yield* world.pass("1 day");
        expect([subjects, events]).toEqual([["before", "meanwhile"], ["before"]]);
        yield* resume(world, "crm");
        yield* world.pass("1 minute");
        expect(events).toEqual(["before", "meanwhile"]);
      }).pipe(Effect.scoped),
    );
  });
}
