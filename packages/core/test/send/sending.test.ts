import { it } from "@effect/vitest";
import { Duration, Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { type AttemptOutcome, MessageSender, type SendingKey } from "../../src/send/index.ts";
import { MAX_MESSAGE_BYTES } from "../../src/send/limits.ts";
import { AccountId } from "../../src/shared/index.ts";
import { NOW, sendingIn, SendingWorld } from "./sending-in-memory.ts";
import { ME } from "./sending-server.ts";

const KEY: SendingKey = { kind: "key", id: "k1", name: "K", application: "app", sendPerDay: 2, policy: null };
const minutes = (count: number) => count * 60_000;
const down: AttemptOutcome = { _tag: "NotSent", reason: "unreachable", detail: "refused" };
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("a message", () => {
  it.effect("is journaled, sent, copied to Sent and reported", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      const receipt = yield* send({ bcc: "c@y.test", cc: "a@y.test" });
      expect(receipt).toMatchObject({ id: world.message.id, status: "sent", rejected: [], providerMessageId: null });
      expect(world.message).toMatchObject({
        messageId: receipt.messageId,
        from: ME,
        to: ["a@y.test"],
        cc: ["a@y.test"],
        createdAt: NOW,
        recipients: [
          { address: "a@y.test", state: "sent" },
          { address: "c@y.test", state: "sent" },
        ],
        copy: { state: "kept" },
        failure: null,
      });
      expect(world.log).toEqual([
        "deliver S to a@y.test,c@y.test",
        "dot",
        `copy S bcc c@y.test as ${receipt.messageId} until ${NOW + 20_000}`,
        `release ${ME}`,
      ]);
      expect(world.events).toEqual(["email.sent"]);
      expect([...world.rows.values()][0]).toMatchObject({ lease: null, contents: null });
    }).pipe(Effect.scoped),
  );

  it.effect("is leased from when it is journaled, however long its request was read [S9.3-5]", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      world.reading = TestClock.adjust("29 seconds");
      let until: number | undefined;
      world.beforeDot = Effect.sync(() => void (until = [...world.rows.values()][0]?.lease?.until));
      const { send } = yield* sendingIn(world);
      expect((yield* send()).status).toBe("sent");
      expect(until).toBe(NOW + 29_000 + 30_000);
    }).pipe(Effect.scoped),
  );

  it.effect("has in its copy the Message-ID that the server gave it", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      world.providerMessageId = "<theirs@x>";
      const { send } = yield* sendingIn(world);
      expect((yield* send()).providerMessageId).toBe("<theirs@x>");
      expect(world.log[2]).toBe(`copy S as <theirs@x> until ${NOW + 20_000}`);
    }).pipe(Effect.scoped),
  );

  it.effect("pins its files until it is finished", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      world.outcome = down;
      yield* send({ attachments: [{ id: "up_a" }] });
      expect(world.pins.get(world.message.id)).toEqual(["up_a"]);
      world.outcome = undefined;
      yield* workAt(NOW + minutes(1));
      expect(world.pins.size).toBe(0);
      const before = world.rows.size;
      expect(yield* tagOf(send({ attachments: [{ id: "up_gone" }] }))).toBe("InputInvalid");
      expect(world.rows.size).toBe(before);
    }).pipe(Effect.scoped),
  );

  it.effect("answers another message with its fields and marks it, unless a program wrote it", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      world.outcome = down;
      yield* send({ replyToMessageId: "m_1" });
      expect([...world.rows.values()][0]?.contents).toMatchObject({ inReplyTo: "<orig@y>", references: ["<orig@y>"] });
      expect(world.log).toContain("mark answered");
      yield* send({ replyToMessageId: "m_1", inReplyTo: "<own@y>", references: "<own@y>" });
      expect([...world.rows.values()][1]?.contents).toMatchObject({ inReplyTo: "<own@y>", references: ["<own@y>"] });
      world.isAutomatic = true;
      expect(yield* tagOf(send({ replyToMessageId: "m_1" }))).toBe("AutomaticMessage");
      expect((yield* send({ replyToMessageId: "m_1", force: true })).status).toBe("queued");
      yield* send();
      expect(world.log.filter((one) => one === "mark answered")).toHaveLength(3);
    }).pipe(Effect.scoped),
  );

  it.effect("is tracked by one picture, which knows a single recipient", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      world.outcome = down;
      yield* send({ html: "<p>H</p>", trackOpens: true });
      yield* send({ html: "<p>H</p>", trackOpens: true, cc: "b@y.test" });
      yield* send({ html: "<p>H</p>" });
      expect(world.tracked.map(({ recipient, events }) => [recipient, events])).toEqual([
        ["a@y.test", 0],
        [null, 0],
      ]);
      const [first, , third] = [...world.rows.values()];
      expect(first!.contents!.html).toContain(`https://mail.x.test/t/${world.tracked[0]!.id}.gif`);
      expect(third!.contents!.html).toBe("<p>H</p>");
    }).pipe(Effect.scoped),
  );

  it.effect("waits until its time, and is sent then", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send, workAt } = yield* sendingIn(world);
      const sendAt = new Date(NOW + minutes(9)).toISOString();
      expect((yield* send({ sendAt })).status).toBe("scheduled");
      expect([world.log, [...world.rows.values()][0]?.lease]).toEqual([[], null]);
      expect(yield* workAt(NOW + minutes(9))).toBe("sent");
    }).pipe(Effect.scoped),
  );

  it.effect("needs a credential, and an account that may send", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      expect(yield* tagOf(send({}, undefined, undefined, AccountId("blocked@x.test")))).toBe("SenderBlocked");
      world.isRejected = true;
      expect(yield* tagOf(send())).toBe("MailboxCredentialsRejected");
      expect(world.rows.size).toBe(0);
    }).pipe(Effect.scoped),
  );

  it.effect("is sent if the answer to its commit is lost before the database has committed", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      world.losesCommit = true;
      expect((yield* send()).status).toBe("sent");
      expect(world.rows.size).toBe(1);
    }).pipe(Effect.scoped),
  );

  it.effect("is not journaled if its account is removed meanwhile", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      world.reading = Effect.sync(() => void (world.isRemoved = true));
      expect(yield* tagOf(send({}, "key"))).toBe("MailboxCredentialsRejected");
      expect([world.rows.size, world.keys.size, world.quotas.size]).toEqual([0, 0, 0]);
    }).pipe(Effect.scoped),
  );

  it.effect("counts against the quotas of its account and its key", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      for (let n = 0; n < 2; n++) yield* send({}, undefined, KEY);
      expect(yield* tagOf(send({}, undefined, KEY))).toBe("KeySendRateExceeded");
      expect(world.message.author).toEqual({ key: "k1", application: "app" });
      for (let n = 0; n < 3; n++) yield* send();
      expect(yield* tagOf(send())).toBe("SendRateExceeded");
      expect([world.quotas.get(ME)?.day.used, world.quotas.get("k1")?.day.used]).toEqual([5, 2]);
      yield* TestClock.setTime(NOW + minutes(1));
      yield* send({}, undefined, { ...KEY, id: "k2", sendPerDay: null });
      expect(world.quotas.has("k2")).toBe(false);
    }).pipe(Effect.scoped),
  );

  it.effect("may be as large as the account's server and the service allow", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { run } = yield* sendingIn(world);
      const limits = run(Effect.flatMap(MessageSender, (sender) => sender.limits(ME)));
      expect(yield* limits).toMatchObject({ maxMessageBytes: MAX_MESSAGE_BYTES, maxRecipients: 100, perMinute: 5 });
      world.maxMessageBytes = 5;
      expect((yield* limits).maxMessageBytes).toBe(5);
      world.maxMessageBytes = MAX_MESSAGE_BYTES + 1;
      expect((yield* limits).maxMessageBytes).toBe(MAX_MESSAGE_BYTES);
    }).pipe(Effect.scoped),
  );
});

describe("a request with an idempotency key", () => {
  it.effect("is answered once, and another request under its key refused", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      const first = yield* send({}, "key");
      expect(yield* send({}, "key")).toEqual(first);
      expect(world.rows.size).toBe(1);
      expect(yield* tagOf(send({ subject: "other" }, "key"))).toBe("IdempotencyKeyReused");
      yield* TestClock.setTime(NOW + Duration.toMillis("1 day") - 1);
      expect(yield* send({}, "key")).toEqual(first);
      yield* TestClock.setTime(NOW + Duration.toMillis("1 day"));
      expect((yield* send({ subject: "other" }, "key")).id).not.toBe(first.id);
    }).pipe(Effect.scoped),
  );

  it.effect("is answered from the journal while its answer is missing, and in progress while it is sent", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      world.outcome = down;
      const first = yield* send({}, "key");
      world.keys.set("key", { ...world.keys.get("key")!, answer: null });
      expect(yield* send({}, "key")).toEqual(first);
      const row = world.rows.get(first.id)!;
      row.lease = { token: "other", until: NOW + 1 };
      expect(yield* tagOf(send({}, "key"))).toBe("SendInProgress");
      world.rows.clear();
      expect(yield* tagOf(send({}, "key"))).toBe("SendInProgress");
    }).pipe(Effect.scoped),
  );

  it.effect("for a scheduled message has its answer at once", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      const { send } = yield* sendingIn(world);
      yield* send({ sendAt: new Date(NOW + minutes(9)).toISOString() }, "key");
      expect(world.keys.get("key")?.answer?.outcome).toBe("scheduled");
    }).pipe(Effect.scoped),
  );

  it.effect("is answered as queued if its attempt takes longer than 15 seconds", () =>
    Effect.gen(function* () {
      const world = new SendingWorld();
      world.afterDot = Effect.sleep("20 seconds");
      const { send } = yield* sendingIn(world);
      const sending = yield* Effect.forkChild(send({}, "key"));
      yield* TestClock.adjust("14 seconds");
      expect(world.keys.get("key")?.answer).toBeNull();
      yield* TestClock.adjust("1 second");
      expect((yield* Fiber.join(sending)).status).toBe("queued");
      expect(world.keys.get("key")?.answer?.outcome).toBe("queued");
      yield* TestClock.adjust("10 seconds");
      expect(world.message.recipients[0]?.state).toBe("sent");
    }).pipe(Effect.scoped),
  );
});
