import { it } from "@effect/vitest";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { ME } from "../messages/mailbox-in-memory.ts";
import { AGENT, approvalsOf, ApprovalsWorld, askedBy, tagOf } from "./approvals-in-memory.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;
const MESSAGE = { to: "a@y.test", subject: "S", text: "one" };

describe("a message that needs an approval", () => {
  it.effect("becomes a draft, and a person is asked to approve it [S13.2-1]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ApprovalsWorld();
      world.uploads.set("up_a", 5);
      const approval = yield* askedBy(
        (yield* approvalsOf(world)).send({
          to: ["a@y.test", "KNOWN@y.test"],
          cc: "A@Y.test",
          bcc: "b@y.test",
          subject: "S",
          text: `${"x".repeat(499)}😀`,
          attachments: [{ id: "up_a" }],
        }),
      );
      const [draft] = world.rows.values();
      expect(approval).toEqual({
        id: expect.stringMatching(/^apr_./),
        account: ME,
        draftId: draft!.id,
        version: 1,
        state: "pending",
        by: { kind: "key", id: "key_1", name: "Agent", application: "app" },
        recipients: [
          { address: "A@y.test", known: false },
          { address: "KNOWN@y.test", known: true },
          { address: "b@y.test", known: false },
        ],
        subject: "S",
        preview: `${"x".repeat(499)}\uFFFD`,
        files: [{ name: "a.pdf", type: "application/pdf", size: 5 }],
        hash: expect.stringContaining("S"),
        createdAt: NOW,
        expiresAt: NOW + 7 * DAY,
        decidedAt: null,
        reason: null,
      });
      expect([...world.approvals.values()]).toEqual([approval]);
      expect(draft).toMatchObject({ state: "draft", contents: { subject: "S" } });
      const recipients = ["A@y.test", "KNOWN@y.test", "b@y.test"];
      const by = { key: "key_1", name: "Agent" };
      const data = { approvalId: approval.id, draftId: draft!.id, by, recipients, subject: "S" };
      expect(world.told).toEqual([["approval.requested", data]]);
      expect(world.sent).toEqual([]);
    }).pipe(Effect.scoped),
  );

  it.effect("shows the text of its HTML if it has no other, and names the grant that asks", () =>
    Effect.gen(function* () {
      const world = new ApprovalsWorld();
      const html = "<p>Hi <b>Ann</b></p>";
      const approval = yield* askedBy(
        (yield* approvalsOf(world)).send({ to: "a@y.test", html }, { ...AGENT, kind: "grant" }),
      );
      expect(approval.preview).toBe(" Hi  Ann  ");
      expect(world.told).toMatchObject([["approval.requested", { by: { grant: "key_1", name: "Agent" } }]]);
    }).pipe(Effect.scoped),
  );

  it.effect("is sent at once if the policy allows it, or if the sender has no policy", () =>
    Effect.gen(function* () {
      const world = new ApprovalsWorld();
      world.refusal = null;
      const { send, sendDraft, create } = yield* approvalsOf(world);
      const free = { ...AGENT, policy: null };
      for (const by of [AGENT, free, null]) {
        expect(yield* send(MESSAGE, by)).toMatchObject({ receipt: { status: "sent" } });
        const { id } = yield* create(MESSAGE);
        expect(yield* sendDraft(id, "1", by)).toMatchObject({ receipt: { status: "sent" } });
      }
      const { id } = yield* create(MESSAGE);
      expect(yield* sendDraft(id, undefined, free)).toMatchObject({ receipt: { status: "sent" } });
      expect(world.sent.map((one) => (one as { by: unknown }).by)).toEqual([
        AGENT,
        AGENT,
        free,
        free,
        null,
        null,
        free,
      ]);
      expect([world.approvals.size, world.quotas.size]).toEqual([0, 0]);
    }).pipe(Effect.scoped),
  );

  it.effect("counts against the daily number of its key, beyond which it leaves no draft [S13.1-3]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ApprovalsWorld();
      const { send } = yield* approvalsOf(world);
      yield* send(MESSAGE);
      expect(world.quotas.get("key_1")?.day).toEqual({ startedAt: NOW, used: 1 });
      yield* send(MESSAGE);
      expect(yield* tagOf(send(MESSAGE))).toBe("KeySendRateExceeded");
      expect([world.rows.size, world.approvals.size]).toEqual([2, 2]);
      yield* send(MESSAGE, { ...AGENT, id: "key_2", sendPerDay: null });
      expect([...world.quotas.keys()]).toEqual(["key_1"]);
    }).pipe(Effect.scoped),
  );
});

describe("a repeated request with an Idempotency-Key", () => {
  it.effect("gets the approval of the first request for 24 hours [S13.2-2]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ApprovalsWorld();
      const { send } = yield* approvalsOf(world);
      const first = yield* askedBy(send(MESSAGE, AGENT, "k"));
      expect([...world.usedKeys.values()]).toMatchObject([
        { account: ME, key: "k", outgoingId: first.id, createdAt: NOW, answer: null },
      ]);
      yield* TestClock.setTime(NOW + DAY - 1);
      expect(yield* askedBy(send(MESSAGE, AGENT, "k"))).toEqual(first);
      expect(yield* tagOf(send({ ...MESSAGE, text: "two" }, AGENT, "k"))).toBe("IdempotencyKeyReused");
      expect(world.rows.size).toBe(1);
      yield* TestClock.setTime(NOW + DAY);
      const next = yield* askedBy(send({ ...MESSAGE, text: "two" }, AGENT, "k"));
      expect(next.id).not.toBe(first.id);
      expect(world.usedKeys.get("k")).toMatchObject({ outgoingId: next.id, createdAt: NOW + DAY });
    }).pipe(Effect.scoped),
  );

  it.effect("gets the approval even if its sender has no policy any more [S13.2-2] [S6.5-4]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ApprovalsWorld();
      const { send } = yield* approvalsOf(world);
      const first = yield* askedBy(send(MESSAGE, AGENT, "k"));
      world.refusal = null;
      for (const by of [{ ...AGENT, policy: null }, null]) {
        expect(yield* askedBy(send(MESSAGE, by, "k"))).toEqual(first);
        expect(yield* tagOf(send({ ...MESSAGE, text: "two" }, by, "k"))).toBe("IdempotencyKeyReused");
      }
      expect(world.sent).toEqual([]);
    }).pipe(Effect.scoped),
  );

  it.effect("leaves a key that a sent message has to the sender of messages", () =>
    Effect.gen(function* () {
      const world = new ApprovalsWorld();
      world.refusal = null;
      world.usedKeys.set("k", {
        account: ME,
        key: "k",
        bodyHash: "other",
        outgoingId: "out_1",
        createdAt: 0,
        answer: null,
      });
      expect(yield* (yield* approvalsOf(world)).send(MESSAGE, AGENT, "k")).toMatchObject({ receipt: { id: "out_1" } });
      expect(world.sent).toMatchObject([{ key: "k" }]);
    }).pipe(Effect.scoped),
  );

  it.effect("is refused while another request uses the key, and for a key that is too long", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ApprovalsWorld();
      const { send } = yield* approvalsOf(world);
      const record = { account: ME, key: "k", bodyHash: "h", outgoingId: "out_1", createdAt: NOW, answer: null };
      world.meanwhile = () => world.usedKeys.set("k", record);
      expect(yield* tagOf(send(MESSAGE, AGENT, "k"))).toBe("SendInProgress");
      expect([world.approvals.size, world.told]).toEqual([0, []]);
      world.refusal = null;
      expect(yield* tagOf(send(MESSAGE, AGENT, "k".repeat(257)))).toBe("InputInvalid");
    }).pipe(Effect.scoped),
  );
});
