import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import type { SmtpReply } from "@postern/core/send";
import { Effect, Fiber } from "effect";
import { describe, expect } from "vitest";
import { begin, call, DEMO, MAIL, signIn } from "./send-world.ts";

const FRIEND = AccountId("friend@postern.test");
const reply = (code: number, enhanced: string): SmtpReply => ({ code, enhanced, text: "said so" });

const live = (name: string, test: Effect.Effect<void, unknown, never>) => it.live(name, () => test, 30_000);

describe("a message", () => {
  live(
    "arrives once, is copied to Sent once, and is announced [S2.3-12] [S2.4-4]",
    Effect.gen(function* () {
      const { world, send, events, mailbox, outbox } = yield* begin;
      const before = mailbox(FRIEND, "INBOX").messages.length;
      const sentBefore = mailbox(DEMO, "Sent").messages.length;
      const answer = yield* send({ ...MAIL, bcc: "hidden@y.test" });
      const { id, messageId, ...said } = answer.body;
      expect([answer.status, said]).toEqual([200, { ok: true, status: "sent", rejected: [], providerMessageId: null }]);
      expect([typeof id, messageId]).toEqual(["string", expect.stringMatching(/^<.+>$/)]);
      expect(
        mailbox(FRIEND, "INBOX")
          .messages.slice(before)
          .map(({ summary }) => summary),
      ).toMatchObject([
        { subject: "Grüße ✓", messageId: answer.body.messageId, from: { address: "demo@postern.test" } },
      ]);
      while ((yield* world.journal.list({ account: DEMO }, 0, 1))[0]?.message.copy.state === "owed")
        yield* Effect.sleep("5 millis");
      expect(
        mailbox(DEMO, "Sent")
          .messages.slice(sentBefore)
          .map(({ summary }) => summary),
      ).toMatchObject([{ messageId: answer.body.messageId, unread: false }]);
      expect(Buffer.from(mailbox(FRIEND, "INBOX").messages.at(-1)!.raw).toString()).not.toContain("hidden@y.test");
      const [event, ...others] = yield* events;
      expect(others).toEqual([]);
      expect(event).toEqual({
        id: expect.stringMatching(/^evt_/),
        event: "email.sent",
        timestamp: "2026-01-01T00:00:00.000Z",
        account: { id: expect.stringMatching(/^acc_/), email: "demo@postern.test" },
        data: {
          outboxId: id,
          messageId: answer.body.messageId,
          from: "demo@postern.test",
          to: ["friend@postern.test"],
          toCount: 1,
          cc: [],
          ccCount: 0,
          subject: "Grüße ✓",
        },
      });
      expect(yield* outbox).toMatchObject([{ id: answer.body.id, state: "sent", nextAttemptAt: null }]);
    }).pipe(Effect.scoped),
  );

  live(
    "to three recipients answered 250, 451 and 550 is retried for the second only [S6.4-4]",
    Effect.gen(function* () {
      const { world, send, events, outbox } = yield* begin;
      const taken: Array<ReadonlyArray<string>> = [];
      world.smtp.onTaken = ({ recipients }) => void taken.push(recipients);
      world.smtp.conduct = { rcpt: { "mid@y.test": reply(451, "4.7.1"), "no@y.test": reply(550, "5.1.1") } };
      const answer = yield* send({ ...MAIL, to: "yes@y.test, mid@y.test, no@y.test" });
      expect(answer.body).toMatchObject({
        status: "sent",
        rejected: [
          { recipient: "mid@y.test", status: "4.7.1" },
          { recipient: "no@y.test", status: "5.1.1", detail: "550 5.1.1 said so" },
        ],
      });
      world.smtp.conduct = {};
      yield* world.pass("1 minute");
      expect(taken).toEqual([["yes@y.test"], ["mid@y.test"]]);
      yield* world.pass("8 hours");
      expect(taken).toHaveLength(2);
      const told = (yield* events).map(({ event, data }) => `${event} ${data.recipient ?? ""}`);
      expect(new Set(told)).toEqual(new Set(["email.bounced no@y.test", "email.sent "]));
      expect(told).toHaveLength(2);
      const states = (yield* outbox)[0].recipients.map(({ state }: { state: string }) => state);
      expect(states).toEqual(["sent", "sent", "failed"]);
    }).pipe(Effect.scoped),
  );

  live(
    "whose SMTP answer takes longer than 15 s is answered as queued, with the outcome as an event [S6.4-1] [S6.4-3] [S6.5-4]",
    Effect.gen(function* () {
      const { world, send, eventTypes } = yield* begin;
      world.smtp.conduct = { delay: 60_000 };
      const key = { "idempotency-key": "slow" };
      const waiting = yield* Effect.forkChild(send(MAIL, key));
      yield* Effect.sleep("50 millis");
      yield* world.pass("10 seconds");
      const again = yield* send(MAIL, key);
      expect([again.status, again.headers.get("retry-after")]).toEqual([409, "5"]);
      yield* world.pass("5 seconds");
      const { status, body } = yield* Fiber.join(waiting);
      expect([status, body.status]).toEqual([200, "queued"]);
      expect(yield* eventTypes).toEqual([]);
      expect((yield* send(MAIL, key)).body).toEqual(body);
      yield* world.pass("1 minute");
      expect(yield* eventTypes).toEqual(["email.sent"]);
      expect((yield* send(MAIL, key)).body).toEqual(body);
    }).pipe(Effect.scoped),
  );

  live(
    "with sendAt waits until then, and can be cancelled before [S6.6-3]",
    Effect.gen(function* () {
      const { world, token, send, outbox } = yield* begin;
      const taken: Array<string> = [];
      world.smtp.onTaken = ({ raw }) => void taken.push(Buffer.from(raw).toString());
      const later = { ...MAIL, sendAt: "2026-01-01T03:00:00+01:00" };
      const first = yield* send(later);
      const second = yield* send({ ...later, subject: "kept" });
      expect(first.body).toMatchObject({ status: "scheduled" });
      expect((yield* outbox).map(({ state }: { state: string }) => state)).toEqual(["scheduled", "scheduled"]);
      const cancelled = yield* call(world, "DELETE", `/api/outbox/${first.body.id}`, token);
      expect([cancelled.status, cancelled.body.data.state]).toEqual([200, "cancelled"]);
      expect((yield* call(world, "DELETE", `/api/outbox/${first.body.id}`, token)).status).toBe(409);
      yield* world.pass(2 * 3_600_000 - 1);
      expect(taken).toEqual([]);
      yield* world.pass(1);
      expect(taken).toHaveLength(1);
      expect(taken[0]).toContain("Subject: kept");
      expect(taken[0]).toContain("Date: Thu, 01 Jan 2026 02:00:00 +0000");
      expect((yield* call(world, "DELETE", `/api/outbox/${second.body.id}`, yield* signIn(world))).body.code).toBe(
        "not_cancellable",
      );
      const friend = yield* signIn(world, "friend@postern.test");
      for (const id of [second.body.id, "out_nothing", "%00"]) {
        const status = (yield* call(world, "DELETE", `/api/outbox/${id}`, friend)).status;
        expect(status === 404 || (id === "%00" && status === 400)).toBe(true);
      }
    }).pipe(Effect.scoped),
  );
});

describe("an answer", () => {
  const key = { "idempotency-key": "k-1" };

  for (const [name, conduct, status, code] of [
    ["every recipient refused", { rcpt: { "friend@postern.test": reply(550, "5.1.1") } }, 400, "recipient_refused"],
    ["the sender refused", { mail: reply(550, "5.7.1") }, 403, "sender_refused"],
    ["the message refused", { dot: reply(554, "5.6.0") }, 400, "recipient_refused"],
    ["the password refused", { auth: reply(535, "5.7.8") }, 502, "smtp_auth_failed"],
    ["cut after the dot", { dot: "take and cut" }, 500, "send_outcome_unknown"],
  ] as const) {
    live(
      `${name}: ${status} ${code}, repeated for the same key without another attempt [S6.4-6] [S6.4-7] [S6.4-8] [S6.4-11] [S6.4-22] [S6.5-3] [S6.5-6]`,
      Effect.gen(function* () {
        const { world, send, events, outbox } = yield* begin;
        let taken = 0;
        world.smtp.onTaken = () => void taken++;
        world.smtp.conduct = conduct;
        const first = yield* send(MAIL, key);
        const { id } = (yield* outbox)[0];
        expect([first.status, first.body.code, first.body.id]).toEqual([status, code, id]);
        world.smtp.conduct = {};
        const again = yield* send(MAIL, key);
        expect({ ...again.body, requestId: "" }).toEqual({ ...first.body, requestId: "" });
        expect((yield* send({ ...MAIL, subject: "other" }, key)).status).toBe(422);
        yield* world.pass("9 hours");
        expect(taken).toBe(name === "cut after the dot" ? 1 : 0);
        const told = (yield* events).map(({ event, data }) => [event, data.outboxId]);
        expect(told).toEqual([[status === 400 ? "email.bounced" : "email.failed", id]]);
      }).pipe(Effect.scoped),
    );
  }

  live(
    "too large for the server: 413, repeated for the same key [S6.5-6]",
    Effect.gen(function* () {
      const { world, send, outbox } = yield* begin;
      world.smtp.maxMessageBytes = 500;
      const first = yield* send(MAIL, key);
      expect([first.status, first.body.code]).toEqual([413, "payload_too_large"]);
      expect(first.body.id).toBe((yield* outbox)[0].id);
      world.smtp.maxMessageBytes = 36_700_160;
      const again = yield* send(MAIL, key);
      expect({ ...again.body, requestId: "" }).toEqual({ ...first.body, requestId: "" });
    }).pipe(Effect.scoped),
  );

  live(
    "to a repeat with the same key is the same for a day, and nothing is sent twice [S6.5-2] [S6.5-1]",
    Effect.gen(function* () {
      const { world, send } = yield* begin;
      let taken = 0;
      world.smtp.onTaken = () => void taken++;
      const [first, second] = yield* Effect.all([send(MAIL, key), send(MAIL, key)], { concurrency: "unbounded" });
      expect(Math.min(first.status, second.status)).toBe(200);
      expect([200, 409]).toContain(Math.max(first.status, second.status));
      yield* world.pass("23 hours");
      const token = yield* signIn(world);
      const again = yield* call(world, "POST", "/api/send", token, MAIL, key);
      expect(again.body).toEqual(first.status === 200 ? first.body : second.body);
      expect(taken).toBe(1);
      yield* world.pass("1 hour");
      expect((yield* call(world, "POST", "/api/send", yield* signIn(world), MAIL, key)).status).toBe(200);
      expect(taken).toBe(2);
    }).pipe(Effect.scoped),
  );

  live(
    "given before a message is journaled leaves its key unused; a key has at most 256 characters [S6.5-1] [S6.5-5]",
    Effect.gen(function* () {
      const { send } = yield* begin;
      expect((yield* send({ ...MAIL, to: "nonsense" }, key)).status).toBe(400);
      expect((yield* send(MAIL, key)).status).toBe(200);
      const keyOf = (length: number) => ({ "idempotency-key": "k".repeat(length) });
      expect((yield* send(MAIL, keyOf(257))).status).toBe(400);
      expect((yield* send(MAIL, keyOf(256))).status).toBe(200);
    }).pipe(Effect.scoped),
  );

  live(
    "is 429 with the remaining quota above the rate, 403 for a blocked sender, 400 for a missing upload [S6.1-6] [S6.4-18] [S6.4-19] [S2.3-15] [S2.3-16]",
    Effect.gen(function* () {
      const { world, send } = yield* begin;
      world.mail.addAccount("blocked@postern.test", "demo");
      const blocked = yield* call(world, "POST", "/api/send", yield* signIn(world, "blocked@postern.test"), MAIL);
      expect([blocked.status, blocked.body.code]).toEqual([403, "sender_blocked"]);
      const file = { id: "u", name: "n", url: "/api/uploads/u", type: "text/plain", size: 1 };
      const texts = new Set<string>();
      for (const url of ["/api/uploads/u", "../../etc/passwd", "file:///etc/passwd", "http://127.0.0.1/", "data:,x"]) {
        const answer = yield* send({ ...MAIL, attachments: [{ ...file, url }] });
        expect(answer.status).toBe(400);
        texts.add(JSON.stringify(answer.body.errors));
      }
      texts.add(JSON.stringify((yield* send({ ...MAIL, attachments: [{ id: "u" }] })).body.errors));
      expect(texts.size).toBe(1);
      for (let n = 0; n < 60; n++) expect((yield* send(MAIL)).status).toBe(200);
      const refused = yield* send(MAIL);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
      expect(refused.headers.get("ratelimit")).toBe('"minute";r=0;t=60');
      expect(refused.headers.get("ratelimit-policy")).toBe('"minute";q=60;w=60, "day";q=1000;w=86400');
      yield* world.pass("1 minute");
      expect((yield* send(MAIL)).status).toBe(200);
    }).pipe(Effect.scoped),
  );
});

describe("a password", () => {
  live(
    "is kept after the sign-out until the last queued message is sent [S3.7-5]",
    Effect.gen(function* () {
      const { world, token, send, eventTypes } = yield* begin;
      yield* send({ ...MAIL, sendAt: "2026-01-01T05:00:00Z" });
      expect((yield* call(world, "POST", "/api/auth/logout", token)).status).toBe(200);
      expect(yield* world.hasCredential(DEMO)).toBe(true);
      yield* world.pass("6 hours");
      expect(yield* eventTypes).toEqual(["email.sent", "account.auth_failed"]);
      expect(yield* world.hasCredential(DEMO)).toBe(false);
    }).pipe(Effect.scoped),
  );

  live(
    "refused at a later attempt pauses the ladder until a new sign-in [S3.7-4]",
    Effect.gen(function* () {
      const { world, send, eventTypes } = yield* begin;
      let taken = 0;
      world.smtp.onTaken = () => void taken++;
      world.smtp.isUp = false;
      expect((yield* send(MAIL)).body.status).toBe("queued");
      world.smtp.isUp = true;
      world.mail.addAccount("demo@postern.test", "changed");
      yield* world.pass("10 hours");
      expect([taken, yield* eventTypes]).toEqual([0, []]);
      yield* signIn(world, "demo@postern.test", "changed");
      yield* world.pass(1);
      expect([taken, yield* eventTypes]).toEqual([1, ["email.sent"]]);
    }).pipe(Effect.scoped),
  );

  live(
    "refused for a day fails the message [S6.4-9]",
    Effect.gen(function* () {
      const { world, send, eventTypes } = yield* begin;
      world.smtp.isUp = false;
      yield* send(MAIL);
      world.smtp.isUp = true;
      world.mail.addAccount("demo@postern.test", "changed");
      yield* world.pass("30 seconds");
      yield* world.pass(24 * 3_600_000 - 1);
      expect(yield* eventTypes).toEqual([]);
      yield* world.pass(1);
      expect(yield* eventTypes).toEqual(["email.failed"]);
    }).pipe(Effect.scoped),
  );

  live(
    "known to be rejected is 401, and nothing is journaled [S6.4-10]",
    Effect.gen(function* () {
      const { world, token, send } = yield* begin;
      world.mail.addAccount("demo@postern.test", "changed");
      yield* call(world, "GET", "/api/folders", token);
      const answer = yield* send(MAIL);
      expect([answer.status, answer.body.code]).toEqual([401, "mailbox_credentials_rejected"]);
      expect(yield* world.journal.list({ account: DEMO }, 0, 10)).toEqual([]);
    }).pipe(Effect.scoped),
  );
});

live(
  "a server's limit refuses a message of its account only, and not once the server raised it [S6.4-21]",
  Effect.gen(function* () {
    const { world, token, send } = yield* begin;
    const friend = yield* signIn(world, "friend@postern.test");
    const limitOf = (whose: string) =>
      Effect.map(call(world, "GET", "/api/limits", whose), ({ body }) => body.data.maxMessageBytes);
    world.smtp.maxMessageBytes = 500;
    expect((yield* send(MAIL)).status).toBe(413);
    expect([yield* limitOf(token), yield* limitOf(friend)]).toEqual([500, 36_700_160]);
    world.smtp.maxMessageBytes = 36_700_160;
    expect((yield* send(MAIL)).body.status).toBe("sent");
    expect(yield* limitOf(token)).toBe(36_700_160);
  }).pipe(Effect.scoped),
);

live(
  "opening a message is announced once a minute, and every request gets the same picture [S7.8-1]",
  Effect.gen(function* () {
    const { world, send, events } = yield* begin;
    let raw = "";
    world.smtp.onTaken = (message) => void (raw = Buffer.from(message.raw).toString());
    expect((yield* send({ ...MAIL, trackOpens: true })).status).toBe(400);
    const { body } = yield* send({ ...MAIL, html: "<body><p>x</p></body>", trackOpens: true });
    const path = /http:\/\/127\.0\.0\.1:3000(\/t\/[\w-]+\.gif)/.exec(raw.replaceAll("=\r\n", ""))![1]!;
    const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0" };
    const open = (at: string) => call(world, "GET", at, "", undefined, browser);
    const picture = yield* open(path);
    expect([picture.status, picture.headers.get("content-type"), picture.headers.get("cache-control")]).toEqual([
      200,
      "image/gif",
      "no-store",
    ]);
    expect((yield* open("/t/no-such-picture.gif")).body).toBe(picture.body);
    yield* open(path);
    yield* world.pass("1 minute");
    yield* open(path);
    yield* Effect.sleep("50 millis");
    const opened = (yield* events).filter(({ event }) => event === "email.opened");
    expect(opened.map(({ data }) => data)).toMatchObject([
      {
        outboxId: body.id,
        messageId: body.messageId,
        recipient: "friend@postern.test",
        count: 1,
        first: true,
        classification: "human",
        openedAt: "2026-01-01T00:00:00.000Z",
      },
      { count: 3, first: false },
    ]);
  }).pipe(Effect.scoped),
);
