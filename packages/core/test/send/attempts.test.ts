import { it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { MailServerError } from "../../src/mail/index.ts";
import { type AttemptOutcome, type SendingKey } from "../../src/send/index.ts";
import { reply } from "../outgoing.ts";
import { NOW, sendingIn, SendingWorld } from "./sending-in-memory.ts";
import { ME, SERVER } from "./sending-server.ts";

const KEY: SendingKey = { kind: "key", id: "k1", name: "K", application: "app", sendPerDay: 2, policy: null };
const minutes = (count: number) => count * 60_000;
const down: AttemptOutcome = { _tag: "NotSent", reason: "unreachable", detail: "refused" };
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("an attempt", () => {
  it.effect("skips refused recipients, and retries temporarily refused ones", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      world.refused = new Map([
        ["b@y.test", reply(550, "5.1.1")],
        ["c@y.test", reply(450)],
      ]);
      const { send, workAt } = yield* sendingIn(world);
      const receipt = yield* send({ to: ["a@y.test", "b@y.test", "c@y.test"] });
      expect(receipt).toMatchObject({
        status: "sent",
        rejected: [
          { recipient: "b@y.test", status: "5.1.1" },
          { recipient: "c@y.test", status: "4.0.0" },
        ],
      });
      expect(world.message.recipients.map(({ state }) => state)).toEqual(["sent", "failed", "queued"]);
      expect(world.events).toEqual(["email.bounced", "email.sent"]);
      world.refused.clear();
      yield* workAt(NOW + minutes(1) - 1);
      expect(world.log.filter((one) => one.startsWith("deliver"))).toHaveLength(1);
      yield* workAt(NOW + minutes(1));
      expect(world.log.filter((one) => one.startsWith("deliver")).at(-1)).toBe("deliver S to c@y.test");
      expect(world.message.recipients.map(({ state }) => state)).toEqual(["sent", "failed", "sent"]);
    }).pipe(Effect.scoped),
  );

  it.effect("fails for the waiting client if the server refuses the credential", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      world.outcome = { _tag: "AuthRefused", version: 1 };
      const { send } = yield* sendingIn(world);
      expect(yield* tagOf(send())).toBe("SmtpAuthRefused");
      expect(world.message).toMatchObject({ failure: { reason: "smtp_auth_failed" }, attemptAt: null });
      expect(world.events).toEqual(["email.failed"]);
    }).pipe(Effect.scoped),
  );

  it.effect("of the worker pauses until the credential changes", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.outcome = down;
      yield* send();
      world.outcome = { _tag: "AuthRefused", version: 1 };
      expect(yield* workAt(NOW + minutes(1))).toBe("queued");
      expect(world.message.paused).toEqual({ since: NOW + minutes(1), version: 1 });
      world.outcome = undefined;
      const asked = () => world.log.filter((one) => one.startsWith("deliver")).length;
      const before = asked();
      yield* workAt(NOW + minutes(6));
      expect(asked()).toBe(before);
      world.credential = 2;
      expect(yield* workAt(NOW + minutes(11))).toBe("sent");
    }).pipe(Effect.scoped),
  );

  it.effect("is not made again for a key that was deleted during the first one, which the limits prevented", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.outcome = { _tag: "HostLimited" };
      yield* send({}, undefined, KEY);
      world.outcome = undefined;
      world.serviceKeys.clear();
      expect(yield* workAt(NOW + minutes(1))).toBe("held");
      expect(world.log.filter((one) => one.startsWith("deliver"))).toHaveLength(1);
    }).pipe(Effect.scoped),
  );

  it.effect("is not made for a paused account, and holds the message of a deleted key", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt, outbox } = yield* sendingIn(world);
      world.outcome = down;
      yield* send({}, undefined, KEY);
      world.outcome = undefined;
      world.pausedAt = 5;
      yield* workAt(NOW + minutes(1));
      expect(world.message.failure?.reason).toBe("account_paused");
      world.pausedAt = null;
      world.serviceKeys.clear();
      expect(yield* workAt(NOW + minutes(6))).toBe("held");
      const { id } = world.message;
      const release = (application: string | null) =>
        outbox((one) => one.release(ME, id, application === null ? null : { key: "k9", application }));
      expect(yield* tagOf(release("other"))).toBe("OutgoingNotReleasable");
      expect((yield* release("app")).message).toMatchObject({ author: { key: "k9", application: "app" } });
      expect(yield* tagOf(release(null))).toBe("OutgoingNotReleasable");
    }).pipe(Effect.scoped),
  );

  it.effect("is made for a grant as long as it lasts, and holds its message afterwards [S13.3-15] [S13.3-16]", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      const grant = { ...KEY, kind: "grant", id: "g1", application: "g1", sendPerDay: null } as const;
      for (const [endsAt, state] of [
        [minutes(2), "sent"],
        [minutes(1), "held"],
        [null, "held"],
      ] as const) {
        world.grants = new Map(endsAt === null ? [] : [["g1", NOW + endsAt]]);
        yield* send({ sendAt: new Date(NOW + minutes(1)).toISOString() }, undefined, grant);
        expect(yield* workAt(NOW + minutes(1))).toBe(state);
        yield* TestClock.setTime(NOW);
      }
    }).pipe(Effect.scoped),
  );

  it.effect("that ends before the dot sends nothing; after the dot its outcome is unknown", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.beforeDot = Effect.die("a defect");
      expect((yield* send()).status).toBe("queued");
      expect(world.message).toMatchObject({ failure: { reason: "protocol" }, recipients: [{ state: "queued" }] });
      world.beforeDot = Effect.void;
      world.afterDot = Effect.die("a defect");
      expect(yield* workAt(NOW + minutes(1))).toBe("unknown");
      expect(world.events).toEqual(["email.failed"]);
      expect(yield* tagOf(send())).toBe("SendOutcomeUnknown");
    }).pipe(Effect.scoped),
  );

  it.effect("sends no dot if the message cannot be marked, or its lease ended", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.beforeDot = Effect.sync(() => void (world.failures = 1));
      expect((yield* send()).status).toBe("queued");
      expect([world.log.includes("dot"), world.message.recipients[0]?.state]).toEqual([false, "queued"]);
      world.beforeDot = TestClock.setTime(NOW + minutes(9));
      yield* workAt(NOW + minutes(1));
      expect(world.log.includes("dot")).toBe(false);
      world.beforeDot = Effect.sync(() => {
        for (const row of world.rows.values()) row.lease = { token: "other", until: Infinity };
      });
      yield* workAt(NOW + minutes(20));
      expect(world.log.includes("dot")).toBe(false);
    }).pipe(Effect.scoped),
  );

  it.effect("that finds its host full is made again in 10 seconds, and is no failure of the server [S6.4-24]", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.outcome = { ...down, server: SERVER };
      yield* send();
      world.outcome = { _tag: "HostLimited" };
      expect(yield* workAt(NOW + 30_000)).toBe("queued");
      expect(world.message).toMatchObject({ step: 1, attemptAt: NOW + 40_000, failure: { reason: "busy" } });
      expect(world.message.waitsFor).toBeUndefined();
      world.outcome = undefined;
      expect(yield* workAt(NOW + 40_000)).toBe("sent");
    }).pipe(Effect.scoped),
  );

  it.effect("whose process was lost after the mark is never repeated", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.outcome = down;
      yield* send();
      const row = world.rows.get(world.message.id)!;
      row.message = { ...row.message, recipients: [{ address: "a@y.test", state: "dot", reply: null }] };
      expect(yield* workAt(NOW + minutes(1))).toBe("unknown");
      expect(world.message).toMatchObject({ failure: { reason: "process_lost" }, attemptAt: null });
      expect(world.events).toEqual(["email.failed"]);
    }).pipe(Effect.scoped),
  );

  it.effect("without contents fails the message", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.outcome = down;
      yield* send();
      world.rows.get(world.message.id)!.contents = null;
      expect(yield* workAt(NOW + minutes(1))).toBe("failed");
      expect(world.message.failure?.reason).toBe("contents_lost");
    }).pipe(Effect.scoped),
  );

  it.effect("is committed again while the database is down", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      world.afterDot = Effect.sync(() => void (world.failures = 3));
      const sending = yield* Effect.forkChild(send());
      yield* TestClock.adjust("2 seconds");
      expect(world.message.recipients[0]?.state).toBe("dot");
      yield* TestClock.adjust("1 second");
      expect((yield* Fiber.join(sending)).status).toBe("sent");
      expect(world.events).toEqual(["email.sent"]);
    }).pipe(Effect.scoped),
  );
});

describe("the copy in Sent", () => {
  it.effect("is retried on the ladder, by a worker that first looks for an existing copy", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      world.copyFailure = new MailServerError({ reason: "over_quota", operation: "append", detail: "full" });
      const { send, workAt } = yield* sendingIn(world);
      expect((yield* send()).status).toBe("sent");
      expect(world.message.copy).toEqual({
        state: "owed",
        step: 1,
        at: NOW + minutes(1),
        failure: { reason: "over_quota", detail: "full" },
      });
      yield* workAt(NOW + minutes(1) - 1);
      world.copyFailure = undefined;
      yield* workAt(NOW + minutes(1));
      expect(world.message.copy).toEqual({ state: "kept", step: 1, at: null });
      const copies = world.log.filter((one) => one.startsWith("copy"));
      expect(copies.map((one) => one.split(" ").at(-1))).toEqual([String(NOW + 20_000), "0"]);
    }).pipe(Effect.scoped),
  );
});

describe("a mail server that is down", () => {
  it.effect("is probed by one of the messages that wait for it; when it answers again, the others become due", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.outcome = down;
      yield* send();
      expect(world.message).toMatchObject({ waitsFor: SERVER, attemptAt: NOW + 30_000 });
      const [probe] = [...world.rows.keys()];
      yield* send();
      expect(world.message).toMatchObject({ waitsFor: SERVER, attemptAt: NOW + minutes(1) });
      const waiting = world.message.id;
      world.rows = new Map([...world.rows].toReversed());
      world.outcome = undefined;
      expect(yield* workAt(NOW + 30_000)).toBe("sent");
      expect(world.message.id).toBe(probe);
      expect(world.rows.get(waiting)?.message).toMatchObject({ attemptAt: NOW + 30_000 });
      expect(world.rows.get(waiting)?.message.waitsFor).toBeUndefined();
    }).pipe(Effect.scoped),
  );

  it.effect("gets another probe if the first is cancelled", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, outbox } = yield* sendingIn(world);
      world.outcome = down;
      yield* send();
      yield* send();
      const [probe, other] = [...world.rows.keys()];
      yield* TestClock.setTime(NOW + 5);
      expect((yield* outbox((one) => one.cancel(ME, probe!))).message.recipients[0]?.state).toBe("cancelled");
      expect(world.rows.get(other!)?.message.attemptAt).toBe(NOW + 30_005);
    }).pipe(Effect.scoped),
  );
});
