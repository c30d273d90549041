import { describe, expect, it } from "vitest";
import { afterRemoval, begin, follow, isWanted } from "../../src/drafts/draft-state.ts";
import { type Draft, NEW_DRAFT } from "../../src/drafts/index.ts";
import type { OutgoingMessage } from "../../src/send/index.ts";
import type { RecipientState } from "../../src/send/outgoing/OutgoingMessage.ts";
import { draftContents } from "../draft-contents.ts";
import { ME } from "../messages/mailbox-in-memory.ts";
import { outgoing, reply } from "../outgoing.ts";

const NOW = 1_900_000_000_000;
const MINUTE = 60_000;

const DRAFT: Draft = {
  ...NEW_DRAFT,
  id: "dft_1",
  account: ME,
  savedAt: 1,
  contents: draftContents("S", "T"),
  copy: { path: "Drafts", uidValidity: 1, uid: 10 },
};
const SENDING: Draft = {
  ...DRAFT,
  state: "sending",
  outgoing: { id: "out_1", version: 1, mayBeSent: false },
  checkAt: NOW,
  step: 3,
};

/** A message with recipients in one state, refused with `550 said so` if it has failed. */
const entry = (state: RecipientState, more: Partial<OutgoingMessage> = {}, leased = false) => {
  const refused = state === "failed" ? reply(550) : null;
  const recipients = ["a@y.test", "b@y.test"].map((address) => ({ address, state, reply: refused }));
  return { message: { ...outgoing(), recipients, attemptAt: null, ...more }, leased };
};
const failure = (reason: "unreachable" | "sender_refused") => ({ reason, detail: "why" });

describe("a draft whose message is checked", () => {
  it("is sent once the message is, and its copies are removed from now on", () => {
    expect(follow(SENDING, entry("sent"), NOW + 1)).toEqual({
      ...SENDING,
      state: "sent",
      savedAt: NOW + 1,
      checkAt: NOW + 1,
      step: 0,
    });
    expect(follow(SENDING, entry("sent"), NOW).checkAt).toBe(NOW + 1);
  });

  it.each([
    ["cancelled", entry("cancelled"), null],
    ["refused", entry("failed"), { reason: "recipient_refused", detail: "550 said so; 550 said so" }],
    ["not sent", entry("failed", { failure: failure("sender_refused") }), { reason: "sender_refused", detail: "why" }],
  ])("can be edited again if the message was %s", (_, found, reason) => {
    expect(follow(SENDING, found, NOW)).toEqual({ ...SENDING, state: "draft", reason, checkAt: null });
  });

  it.each([
    [entry("unknown"), "the message may have been sent"],
    [entry("unknown", { failure: failure("unreachable") }), "why"],
  ])("says that it may have been sent if the outcome is unknown", (found, detail) => {
    expect(follow(SENDING, found, NOW)).toEqual({
      ...SENDING,
      state: "draft",
      reason: { reason: "send_outcome_unknown", detail },
      checkAt: null,
      outgoing: { id: "out_1", version: 1, mayBeSent: true },
    });
  });

  it.each([
    ["waits", entry("queued", { attemptAt: NOW + 5 }), NOW + 1_005],
    ["is being sent", entry("queued", {}, true), NOW + 1_000],
    ["is held", entry("queued", { heldSince: NOW }), NOW + MINUTE],
    [
      "is scheduled",
      entry("queued", { attemptAt: NOW + 90 * MINUTE, scheduledFor: NOW + 90 * MINUTE }),
      NOW + 60 * MINUTE,
    ],
  ])("stays in the state sending while the message %s", (_, found, checkAt) => {
    expect(follow(SENDING, found, NOW)).toEqual({ ...SENDING, checkAt });
  });

  it("is left alone unless it is being sent", () => {
    for (const draft of [
      { ...SENDING, state: "draft" as const },
      { ...SENDING, state: "sent" as const },
      { ...SENDING, outgoing: null },
    ]) {
      expect(follow(draft, entry("sent"), NOW + 1)).toBe(draft);
      expect(follow(draft, null, NOW + 1)).toBe(draft);
    }
  });
});

describe("the copies of a sent draft", () => {
  const sent: Draft = { ...SENDING, state: "sent", step: 0, stale: [9], pending: [{ token: "t", checksum: "c" }] };

  it("are forgotten after they are removed", () => {
    expect(afterRemoval(sent, true, NOW)).toEqual({ ...sent, copy: null, stale: [], pending: [], checkAt: null });
  });

  it("are tried again after 1, 5, 15, 60 and 360 minutes, then given up", () => {
    const waits: Array<number> = [];
    let draft = afterRemoval(sent, false, NOW);
    for (; draft.checkAt !== null; draft = afterRemoval(draft, false, NOW)) {
      expect(draft).toEqual({ ...sent, step: waits.length + 1, checkAt: draft.checkAt });
      waits.push((draft.checkAt - NOW) / MINUTE);
    }
    expect(waits).toEqual([1, 5, 15, 60, 360]);
    expect(draft).toEqual({ ...sent, step: 5, copy: null, checkAt: null });
  });
});

describe("a draft", () => {
  it("keeps its last 20 uncompleted saves", () => {
    const saves = Array.from({ length: 21 }, (_, n) => ({ token: `t${n}`, checksum: `c${n}` }));
    const after = (count: number) => saves.slice(0, count).reduce((draft, save) => begin(draft, 1, save)[1], DRAFT);
    expect(after(20).pending).toEqual(saves.slice(0, 20));
    expect(after(21).pending).toEqual(saves.slice(1));
  });

  it("is wanted as its version, and as any if none is named", () => {
    expect([undefined, "2", "3", "x"].map((version) => isWanted(version, 2))).toEqual([true, true, false, false]);
  });
});
