import { it } from "@effect/vitest";
import { type Harness, harness, HARNESS_ADMIN_KEY, HARNESS_START, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { call, signIn as signInAt } from "./call.ts";
import { asAdmin, asKey, makeKey } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const IN_AN_HOUR = new Date(HARNESS_START + 3_600_000).toISOString();
const MONTH = 30 * 86_400_000;

const schedule = (world: Harness, key: string, subject: string) =>
  asKey(world, key, "POST", "/api/send", {
    json: { to: "friend@postern.test", subject, text: "Hi", sendAt: IN_AN_HOUR },
  });

const signIn = (world: Harness) => Effect.map(signInAt(world), ({ body }) => body.token as string);

const held = Effect.fnUntraced(function* (world: Harness, token: string) {
  const { body } = yield* call(world, "GET", "/api/outbox", { token });
  return (body.data as ReadonlyArray<{ id: string; subject: string; state: string; nextAttemptAt: string | null }>).map(
    ({ id, subject, state, nextAttemptAt }) => ({ id, subject, state, nextAttemptAt }),
  );
});

const begin = Effect.fnUntraced(function* (world: Harness) {
  const subjects: Array<string> = [];
  world.smtp.onTaken = ({ raw }) =>
    void subjects.push(/^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1] ?? "none");
  return { world, token: yield* signIn(world), subjects };
});

for (const [name, made] of [
  ["memory", harness],
  ["SQLite", harnessWithStores(Layer.orDie(sqliteStores))],
] as const) {
  describe(`mail that a deleted key requested, in ${name}`, () => {
    it.live("is held until another key of its application releases it [S6.6-5] [S6.6-8]", () =>
      Effect.gen(function* () {
        const { world, token, subjects } = yield* begin(yield* made);
        const first = yield* makeKey(world, { application: "crm" });
        const second = yield* makeKey(world, { application: "crm" });
        const stranger = yield* makeKey(world);
        const { body: one } = yield* schedule(world, first.key, "one");
        yield* schedule(world, first.key, "two");
        yield* schedule(world, second.key, "other");
        const { body } = yield* asAdmin(world, "DELETE", `/api/keys/${first.id}`);
        expect(body.data).toEqual({
          id: first.id,
          deleted: true,
          ended: { messages: 2, endpoints: 0, links: 0, grants: 0 },
        });
        yield* world.pass("2 hours");
        expect(subjects).toEqual(["other"]);
        const fresh = yield* signIn(world);
        const waiting = (yield* held(world, fresh)).filter(({ state }) => state === "held");
        expect(waiting).toHaveLength(2);
        for (const subject of ["one", "two"])
          expect(waiting).toContainEqual(expect.objectContaining({ subject, nextAttemptAt: null }));
        const path = `/api/outbox/${one.id}/release`;
        expect(yield* asKey(world, stranger.key, "POST", path)).toMatchObject({
          status: 409,
          body: { code: "not_releasable" },
        });
        expect((yield* asKey(world, second.key, "POST", path)).body.data.state).toBe("queued");
        yield* world.pass("1 second");
        expect(subjects).toEqual(["other", "one"]);
        expect((yield* asKey(world, second.key, "POST", path)).status).toBe(409);
        expect(token).not.toBe(fresh);
      }).pipe(Effect.scoped),
    );

    it.live("is released or cancelled by the account's owner, and cancelled after 30 days [S6.6-8] [S6.6-9]", () =>
      Effect.gen(function* () {
        const { world, token, subjects } = yield* begin(yield* made);
        const { id, key } = yield* makeKey(world);
        for (const subject of ["released", "cancelled", "forgotten"]) yield* schedule(world, key, subject);
        yield* asAdmin(world, "DELETE", `/api/keys/${id}`);
        const all = yield* held(world, token);
        const named = (subject: string) => all.find((one) => one.subject === subject);
        const [released, cancelled, forgotten] = ["released", "cancelled", "forgotten"].map(named);
        const released2 = yield* call(world, "POST", `/api/outbox/${released!.id}/release`, { token });
        expect(released2.body.data).toMatchObject({ state: "scheduled", nextAttemptAt: IN_AN_HOUR });
        const gone = yield* call(world, "DELETE", `/api/outbox/${cancelled!.id}`, { token });
        expect(gone.body.data.state).toBe("cancelled");
        yield* world.pass(MONTH - 1);
        expect(subjects).toEqual(["released"]);
        expect((yield* held(world, yield* signIn(world))).find((one) => one.id === forgotten!.id)?.state).toBe("held");
        yield* world.pass(1);
        const end = (yield* held(world, yield* signIn(world))).find((one) => one.id === forgotten!.id);
        expect([end?.state, subjects]).toEqual(["cancelled", ["released"]]);
      }).pipe(Effect.scoped),
    );

    it.live("is held at its next attempt if an attempt ran while the key was deleted [S6.6-7]", () =>
      Effect.gen(function* () {
        const { world, token, subjects } = yield* begin(yield* made);
        const { id, key } = yield* makeKey(world);
        world.smtp.conduct = { dot: { code: 451, enhanced: "4.3.0", text: "later" }, delay: 5_000 };
        yield* Effect.forkScoped(
          asKey(world, key, "POST", "/api/send", { json: { to: "friend@postern.test", subject: "late", text: "Hi" } }),
        );
        yield* world.smtp.nextAnswer;
        yield* asAdmin(world, "DELETE", `/api/keys/${id}`);
        yield* world.pass("5 seconds");
        world.smtp.conduct = {};
        yield* world.pass("10 minutes");
        expect([(yield* held(world, token))[0]?.state, subjects]).toEqual(["held", []]);
      }).pipe(Effect.scoped),
    );

    it.live("is released by the operator [S6.6-8]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(yield* made);
        const { id, key } = yield* makeKey(world);
        const { body } = yield* schedule(world, key, "released");
        yield* asAdmin(world, "DELETE", `/api/keys/${id}`);
        const released = yield* asKey(world, HARNESS_ADMIN_KEY, "POST", `/api/outbox/${body.id}/release`);
        expect([released.status, released.body.data.state]).toEqual([200, "scheduled"]);
        yield* world.pass("1 hour");
        expect(subjects).toEqual(["released"]);
      }).pipe(Effect.scoped),
    );

    it.live("is not held if the key only expired [S6.6-10]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(yield* made);
        const expiresAt = new Date(HARNESS_START + 1_800_000).toISOString();
        const { key } = yield* makeKey(world, { expiresAt });
        yield* schedule(world, key, "later");
        yield* world.pass("1 hour");
        expect((yield* asKey(world, key, "GET", "/api/outbox")).status).toBe(401);
        expect(subjects).toEqual(["later"]);
      }).pipe(Effect.scoped),
    );

    it.live.each<[string, string, ReadonlyArray<string>, number]>([
      ["/api/keys/", "cancel", ["other"], 1],
      ["/api/keys/", "keep", ["mine", "other"], 0],
      ["/api/applications/", "keep", ["mine", "other"], 0],
      ["/api/applications/", "hold", ["other"], 1],
    ])("becomes what DELETE %s… with mail=%s says [S10.2-3]", ([path, mail, sent, ended]) =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(yield* made);
        const { id, key, application } = yield* makeKey(world, { application: "crm" });
        const other = yield* makeKey(world);
        yield* schedule(world, key, "mine");
        yield* schedule(world, other.key, "other");
        const wrong = yield* asAdmin(
          world,
          "DELETE",
          `${path}${path === "/api/keys/" ? id : application}?mail=nonsense`,
        );
        expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, "mail"]);
        const { body } = yield* asAdmin(
          world,
          "DELETE",
          `${path}${path === "/api/keys/" ? id : application}?mail=${mail}`,
        );
        expect(body.data.ended.messages).toBe(ended);
        yield* world.pass("2 hours");
        expect(subjects.toSorted()).toEqual(sent);
      }).pipe(Effect.scoped),
    );

    it.live("is cancelled with its application, held mail included [S6.6-6]", () =>
      Effect.gen(function* () {
        const { world, subjects } = yield* begin(yield* made);
        const first = yield* makeKey(world, { application: "spam" });
        const second = yield* makeKey(world, { application: "spam" });
        const other = yield* makeKey(world);
        yield* schedule(world, first.key, "held");
        yield* schedule(world, second.key, "scheduled");
        yield* schedule(world, other.key, "other");
        yield* asAdmin(world, "DELETE", `/api/keys/${first.id}`);
        const { body } = yield* asAdmin(world, "DELETE", "/api/applications/spam");
        expect(body.data).toEqual({
          id: "spam",
          name: "spam",
          deleted: true,
          keys: [second.id],
          ended: { messages: 2, endpoints: 0, links: 0, grants: 0 },
        });
        expect((yield* asAdmin(world, "DELETE", "/api/applications/spam")).status).toBe(404);
        yield* world.pass("2 hours");
        expect(subjects).toEqual(["other"]);
      }).pipe(Effect.scoped),
    );
  });
}
