import { it } from "@effect/vitest";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { SendRateExceeded } from "../../src/send/errors.ts";
import { RecipientRefused } from "../../src/send/index.ts";
import { AGENT, approvalsOf, ApprovalsWorld, askedBy } from "./approvals-in-memory.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;

/** A world with a pending approval of a draft. */
const asked = (by = AGENT) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const world = new ApprovalsWorld();
    const approvals = yield* approvalsOf(world);
    const approval = yield* askedBy(approvals.send({ to: "a@y.test", subject: "S", text: "one" }, by));
    world.refusal = null;
    world.told = [];
    yield* TestClock.setTime(NOW + 5);
    return { world, approval, ...approvals };
  });

/** Returns the tag of an error, and the state of the approval if it names one. */
const errorOf = <A, E extends { readonly _tag: string; readonly state?: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag, state }) => (state === undefined ? _tag : `${_tag}: ${state}`));

describe("a person who approves", () => {
  it.effect("sends the draft once, for the requester and without its limits [S13.2-4]", () =>
    Effect.gen(function* () {
      const { world, approval, approve } = yield* asked();
      const { id, draftId } = approval;
      const approved = { ...approval, state: "approved", decidedAt: NOW + 5 };
      expect(yield* approve(id, "1")).toEqual(approved);
      expect(world.sent).toMatchObject([
        { request: { subject: "S", text: "one" }, by: { ...approval.by, policy: null, sendPerDay: null } },
      ]);
      expect(world.rows.get(draftId)?.state).toBe("sent");
      const by = { key: "key_1", name: "Agent" };
      const decided = { approvalId: id, draftId, state: "approved", by, subject: "S", reason: null };
      expect(world.told).toEqual([["approval.decided", decided]]);
      yield* TestClock.setTime(NOW + 8 * DAY);
      expect(yield* approve(id, "1")).toEqual(approved);
      expect([world.sent.length, world.told.length]).toEqual([1, 1]);
    }).pipe(Effect.scoped),
  );

  it.effect("names the version that was shown, and is not the key that asked [S13.2-3]", () =>
    Effect.gen(function* () {
      const { world, approval, approve, deny } = yield* asked();
      const { id } = approval;
      expect(yield* errorOf(approve(id))).toBe("IfMatchRequired");
      expect(yield* errorOf(approve(id, "2"))).toBe("ApprovalChanged");
      expect(yield* errorOf(approve(id, "1", "key_1"))).toBe("ApprovalOwn");
      expect(yield* errorOf(deny(id, undefined, "key_1"))).toBe("ApprovalOwn");
      expect(yield* errorOf(approve("apr_none", "1"))).toBe("ApprovalNotFound");
      expect([world.sent, world.told]).toEqual([[], []]);
      expect((yield* approve(id, "1", "key_2")).state).toBe("approved");
    }).pipe(Effect.scoped),
  );

  it.effect("approves a message whose first attempt fails, because it was handed over", () =>
    Effect.gen(function* () {
      const { world, approval, approve } = yield* asked();
      world.failure = [new RecipientRefused({ id: "out_1", rejected: [] }), {}];
      expect((yield* approve(approval.id, "1")).state).toBe("approved");
      expect(world.sent).toHaveLength(1);
    }).pipe(Effect.scoped),
  );

  it.effect("may approve again what could not be handed over", () =>
    Effect.gen(function* () {
      const { world, approval, approve } = yield* asked();
      world.refusal = new SendRateExceeded({ window: "day", retryAfter: 1, perMinute: 1, perDay: 1 });
      expect(yield* errorOf(approve(approval.id, "1"))).toBe("SendRateExceeded");
      expect(world.approvals.get(approval.id)).toEqual(approval);
      world.refusal = null;
      expect((yield* approve(approval.id, "1")).state).toBe("approved");
    }).pipe(Effect.scoped),
  );
});

describe("an approval is stale [S13.2-5]", () => {
  it.effect("once its draft is saved", () =>
    Effect.gen(function* () {
      const { world, approval, approve, save } = yield* asked();
      yield* save(approval.draftId, "1", { to: "a@y.test", subject: "S", text: "two" });
      expect(world.told).toMatchObject([["approval.decided", { state: "stale" }]]);
      expect(yield* errorOf(approve(approval.id, "1"))).toBe("ApprovalDecided: stale");
      expect(world.sent).toEqual([]);
    }).pipe(Effect.scoped),
  );

  it.effect("once its draft is deleted", () =>
    Effect.gen(function* () {
      const { world, approval, remove } = yield* asked();
      yield* remove(approval.draftId);
      expect(world.told).toMatchObject([["approval.decided", { state: "stale" }]]);
    }).pipe(Effect.scoped),
  );

  it.effect.each([
    "its draft has other contents under the same version",
    "its draft has another version",
    "its draft is gone",
  ])("if %s when it is approved, and nothing is sent", (name) =>
    Effect.gen(function* () {
      const { world, approval, approve } = yield* asked();
      const draft = world.rows.get(approval.draftId)!;
      if (name.includes("contents")) world.rows.set(draft.id, { ...draft, contents: { ...draft.contents, text: "x" } });
      else if (name.includes("gone")) world.rows.delete(draft.id);
      else world.rows.set(draft.id, { ...draft, version: 2 });
      expect(yield* errorOf(approve(approval.id, "1"))).toBe("ApprovalDecided: stale");
      expect(world.sent).toEqual([]);
      expect(world.told).toMatchObject([["approval.decided", { state: "stale" }]]);
      expect(world.rows.get(draft.id)?.state).toBe(name.includes("gone") ? undefined : "draft");
    }).pipe(Effect.scoped),
  );
});

describe("an approval of a requester that ends [S13.2-6]", () => {
  it.effect.each([
    ["key", NOW + 5, "ended"],
    ["key", NOW + 6, "live"],
    ["grant", NOW + 5, "ended"],
    ["grant", NOW + 6, "live"],
  ] as const)("(a %s at %d) is withdrawn from its end on", ([kind, end, state]) =>
    Effect.gen(function* () {
      const { world, approval, approve } = yield* asked({ ...AGENT, kind, id: "r" });
      if (kind === "key") world.keys.set("r", end);
      else world.grants.set("r", end);
      if (state === "live") expect((yield* approve(approval.id, "1")).state).toBe("approved");
      else expect(yield* errorOf(approve(approval.id, "1"))).toBe("ApprovalDecided: withdrawn");
      expect(world.sent).toHaveLength(state === "live" ? 1 : 0);
    }).pipe(Effect.scoped),
  );
});

describe("a person who denies", () => {
  it.effect("may give a reason of 1000 characters, and nothing is sent", () =>
    Effect.gen(function* () {
      const { world, approval, approve, deny } = yield* asked();
      const reason = "r".repeat(1_000);
      expect(yield* errorOf(deny(approval.id, `${reason}r`))).toBe("InputInvalid");
      const denied = { ...approval, state: "denied", reason, decidedAt: NOW + 5 };
      expect(yield* deny(approval.id, reason)).toEqual(denied);
      expect(world.told).toMatchObject([["approval.decided", { state: "denied", reason }]]);
      expect(yield* errorOf(approve(approval.id, "1"))).toBe("ApprovalDecided: denied");
      expect([world.sent.length, world.told.length]).toEqual([0, 1]);
    }).pipe(Effect.scoped),
  );

  it.effect("before the approval by another person is complete prevents it, and nothing is sent", () =>
    Effect.gen(function* () {
      const { world, approval, approve, deny } = yield* asked();
      world.meanwhile = () => {
        world.meanwhile = () => {};
        Effect.runSync(deny(approval.id, "no"));
      };
      expect(yield* errorOf(approve(approval.id, "1"))).toBe("ApprovalDecided: denied");
      expect(world.sent).toEqual([]);
      expect(world.rows.get(approval.draftId)?.state).toBe("draft");
    }).pipe(Effect.scoped),
  );

  it.effect("need not give a reason, and changes no other decision", () =>
    Effect.gen(function* () {
      const { approval, deny } = yield* asked();
      expect(yield* deny(approval.id)).toMatchObject({ state: "denied", reason: null });
      const other = yield* asked();
      yield* other.approve(other.approval.id, "1");
      expect(yield* errorOf(other.deny(other.approval.id))).toBe("ApprovalDecided: approved");
      expect(yield* errorOf(deny("apr_none"))).toBe("ApprovalNotFound");
    }).pipe(Effect.scoped),
  );
});

it.effect("an approval expires after 7 days, and can no longer be decided [S13.2-7]", () =>
  Effect.gen(function* () {
    const { world, approval, find, approve, deny } = yield* asked();
    yield* TestClock.setTime(NOW + 7 * DAY - 1);
    expect((yield* find(approval.id)).state).toBe("pending");
    yield* TestClock.setTime(NOW + 7 * DAY);
    expect(yield* find(approval.id)).toMatchObject({ state: "expired", decidedAt: NOW + 7 * DAY });
    expect(yield* errorOf(approve(approval.id, "1"))).toBe("ApprovalDecided: expired");
    expect(yield* errorOf(deny(approval.id))).toBe("ApprovalDecided: expired");
    expect(world.told).toMatchObject([["approval.decided", { state: "expired" }]]);
  }).pipe(Effect.scoped),
);
