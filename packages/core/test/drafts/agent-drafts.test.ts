import { it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import type { Approval, Draft } from "../../src/drafts/index.ts";
import type { SendingKey } from "../../src/send/index.ts";
import { ME } from "../messages/mailbox-in-memory.ts";
import { AGENT, approvalsOf, ApprovalsWorld, askedBy, tagOf } from "./approvals-in-memory.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;
const MESSAGE = { to: "a@y.test", subject: "S", text: "one" };

describe("a draft that an agent wants to send", () => {
  it.effect("needs its version, and is not sent in another [S13.2-2]", () =>
    Effect.gen(function* () {
      const world = new ApprovalsWorld();
      const { sendDraft, create } = yield* approvalsOf(world);
      const { id } = yield* create(MESSAGE);
      expect(yield* tagOf(sendDraft(id))).toBe("IfMatchRequired");
      expect(yield* tagOf(sendDraft(id, "2"))).toBe("DraftChanged");
      world.meanwhile = () => world.rows.set(id, { ...world.rows.get(id)!, version: 2 });
      expect(yield* tagOf(sendDraft(id, "1"))).toBe("DraftChanged");
      expect(world.approvals.size).toBe(0);
    }).pipe(Effect.scoped),
  );

  it.effect("has one pending approval for each version and requester", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ApprovalsWorld();
      const { sendDraft, create } = yield* approvalsOf(world);
      const { id } = yield* create(MESSAGE);
      const by = { ...AGENT, sendPerDay: null };
      const ask = (version: string, key: SendingKey = by) => askedBy(sendDraft(id, version, key));
      const first = yield* ask("1");
      yield* TestClock.setTime(NOW + 7 * DAY - 1);
      expect(yield* ask("1")).toEqual(first);
      const others = [yield* ask("1", { ...by, id: "key_2" })];
      yield* TestClock.setTime(NOW + 7 * DAY);
      others.push(yield* ask("1"));
      world.rows.set(id, { ...world.rows.get(id)!, version: 2 } as Draft);
      others.push(yield* ask("2"));
      expect(new Set([first, ...others].map((one) => one.id)).size).toBe(4);
      expect(others.map((one) => [one.by.id, one.version])).toEqual([
        ["key_2", 1],
        ["key_1", 1],
        ["key_1", 2],
      ]);
    }).pipe(Effect.scoped),
  );

  it.effect("that changes while the person would be asked gets no approval", () =>
    Effect.gen(function* () {
      const world = new ApprovalsWorld();
      const { sendDraft, create } = yield* approvalsOf(world);
      const { id } = yield* create(MESSAGE);
      // The search in Sent for the recipients runs between the reading of the draft and the approval.
      world.searchTime = 1_000;
      const fiber = yield* Effect.forkChild(tagOf(sendDraft(id, "1")));
      yield* TestClock.adjust(999);
      world.rows.set(id, { ...world.rows.get(id)!, version: 2 });
      yield* TestClock.adjust(1);
      expect(yield* Fiber.join(fiber)).toBe("DraftChanged");
      expect(world.approvals.size).toBe(0);
    }).pipe(Effect.scoped),
  );
});

describe("the approvals of an account", () => {
  it.effect("are listed by state, after those whose time is over have expired [S13.2-7]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = new ApprovalsWorld();
      const { send, page } = yield* approvalsOf(world);
      const { draftId: old } = yield* askedBy(send(MESSAGE));
      yield* TestClock.setTime(NOW + 1);
      const { draftId: recent } = yield* askedBy(send(MESSAGE));
      yield* TestClock.setTime(NOW + 7 * DAY);
      world.told = [];
      expect(yield* page()).toEqual([
        [old, "expired"],
        [recent, "pending"],
      ]);
      expect(world.told).toMatchObject([["approval.decided", { draftId: old, state: "expired", reason: null }]]);
      expect(yield* page("pending")).toEqual([[recent, "pending"]]);
      expect(yield* tagOf(page("other" as Approval["state"]))).toBe("InputInvalid");
    }).pipe(Effect.scoped),
  );

  it.effect("are shown with the calls that the agent made before it asked [S13.2-9]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const { send, find } = yield* approvalsOf(new ApprovalsWorld());
      const approval = yield* askedBy(send(MESSAGE));
      yield* TestClock.setTime(NOW + 5);
      expect(yield* find(approval.id)).toEqual({ ...approval, calls: [[NOW, "key_1", ME]] });
      expect(yield* tagOf(find("apr_none"))).toBe("ApprovalNotFound");
      expect(yield* tagOf(find("x".repeat(4_000)))).toBe("InputInvalid");
    }).pipe(Effect.scoped),
  );
});
