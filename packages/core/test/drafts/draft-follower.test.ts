import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { CredentialRelease } from "../../src/auth/index.ts";
import { DraftFollower } from "../../src/drafts/DraftFollower.ts";
import { type Draft, NEW_DRAFT, readMark, writeMark } from "../../src/drafts/index.ts";
import type { AccountId } from "../../src/shared/index.ts";
import { draftContents } from "../draft-contents.ts";
import { idOf, ME, stored } from "../messages/mailbox-in-memory.ts";
import { outgoing, reply } from "../outgoing.ts";
import { DraftsWorld } from "./drafts-in-memory.ts";

const NOW = 1_900_000_000_000;

/** Follows the drafts that are due at `NOW`; returns the accounts whose credentials may not be needed any more. */
const follow = (world: DraftsWorld) => {
  const released: Array<AccountId> = [];
  const release = Layer.mock(CredentialRelease, {
    release: (account) => Effect.sync(() => void released.push(account)),
  });
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const { runDue } = yield* DraftFollower;
    yield* runDue;
    return released;
  }).pipe(Effect.provide(Layer.provide(DraftFollower.layer, [world.all, release])), Effect.scoped);
};

/** A draft whose copy is the message with UID 1, handed to the outgoing message `out_1`. */
const drafted = (world: DraftsWorld, fields: Partial<Draft> = {}) => {
  const uid = world.write("S", "T", { draftId: "dft_1", token: "tok" });
  const copy = { path: "drafts", uidValidity: 1, uid };
  const outgoing = { id: "out_1", version: 1, mayBeSent: false };
  const draft = {
    ...NEW_DRAFT,
    id: "dft_1",
    account: ME,
    savedAt: 0,
    contents: draftContents("S", "T"),
    copy,
    token: "tok",
    outgoing,
  };
  world.rows.set("dft_1", { ...draft, state: "sending", checkAt: NOW, ...fields } as Draft);
  world.pins.set("dft_1", ["up_a"]);
};

describe("the follower of drafts", () => {
  it.effect("removes the copies of a sent draft and releases its uploads and its credential [S3.7-6]", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      drafted(world, { state: "sent", stale: [2], pending: [] });
      world.write("S", "older", { draftId: "dft_1", token: "old" });
      world.write("S", "theirs");
      expect(yield* follow(world)).toEqual([ME]);
      expect(world.written.map(({ text }) => text)).toEqual(["theirs"]);
      expect(world.rows.get("dft_1")).toMatchObject({ state: "sent", copy: null, stale: [], checkAt: null });
      expect(world.pins.size).toBe(0);
    }),
  );

  it.effect("marks the message that a sent draft answers", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      const original = world.folder("inbox")!;
      original.messages = [stored(7)];
      const contents = { ...draftContents("S", "T"), replyToMessageId: idOf("inbox", 7) };
      drafted(world, { state: "sent", contents });
      yield* follow(world);
      expect(original.messages[0]?.answered).toBe(true);
    }),
  );

  it.effect("keeps a version that another client has written since", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      drafted(world, { state: "sent" });
      world.write("S", "theirs", { draftId: "dft_1", token: "tok" });
      yield* follow(world);
      expect(world.written.map(({ text }) => text)).toEqual(["theirs"]);
      const gone = new DraftsWorld();
      drafted(gone, { state: "sent" });
      gone.drop(1);
      yield* follow(gone);
      expect(gone.rows.get("dft_1")?.checkAt).toBeNull();
    }),
  );

  it.effect("ends its lease on a draft that it finds sent at exactly the due time", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      drafted(world, { checkAt: NOW });
      const recipients = [{ address: "a@y.test", state: "sent", reply: null }] as const;
      const message = { ...outgoing(), id: "out_1", recipients, attemptAt: null };
      world.journal.set("out_1", { message, leased: false });
      yield* follow(world);
      const after = world.rows.get("dft_1");
      expect(after?.state).toBe("sent");
      // A change of the due time is what ends the lease.
      expect(after?.checkAt).not.toBe(NOW);
    }),
  );

  it.effect("reopens a draft whose message failed, and checks a draft again whose message waits", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      drafted(world);
      const message = { ...outgoing(), id: "out_1", attemptAt: NOW + 5 };
      world.journal.set("out_1", { message, leased: false });
      expect(yield* follow(world)).toEqual([]);
      expect(world.rows.get("dft_1")).toMatchObject({ state: "sending", checkAt: NOW + 1_005 });
      world.rows.set("dft_1", { ...world.rows.get("dft_1")!, checkAt: NOW });
      const recipients = [{ address: "a@y.test", state: "failed", reply: reply(550) }] as const;
      world.journal.set("out_1", { message: { ...message, recipients, attemptAt: null }, leased: false });
      expect(yield* follow(world)).toEqual([ME]);
      expect(world.rows.get("dft_1")).toMatchObject({ state: "draft", reason: { reason: "recipient_refused" } });
      expect(world.written).toHaveLength(1);
    }),
  );

  it.effect("does not reopen a draft that was sent again, as another message, since it was claimed [S6.3-8]", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      drafted(world);
      const recipients = [{ address: "a@y.test", state: "failed", reply: reply(550) }] as const;
      const message = { ...outgoing(), id: "out_1", recipients, attemptAt: null };
      world.journal.set("out_1", { message, leased: false });
      const again = { id: "out_2", version: 1, mayBeSent: false };
      world.afterLookup = () =>
        world.rows.set("dft_1", { ...world.rows.get("dft_1")!, outgoing: again, checkAt: NOW + 1_000 });
      yield* follow(world);
      expect(world.rows.get("dft_1")).toMatchObject({ state: "sending", outgoing: again, checkAt: NOW + 1_000 });
    }),
  );

  it.effect("checks a draft whose message is held once a minute", () =>
    Effect.gen(function* () {
      const world = new DraftsWorld();
      drafted(world);
      const message = { ...outgoing(), id: "out_1", attemptAt: NOW - 5, heldSince: NOW - 5 };
      world.journal.set("out_1", { message, leased: false });
      yield* follow(world);
      expect(world.rows.get("dft_1")).toMatchObject({ state: "sending", checkAt: NOW + 60_000 });
    }),
  );
});

it.effect.each([
  ["dft_1 tok", { draftId: "dft_1", token: "tok" }],
  [" dft_1\r\n\ttok ", { draftId: "dft_1", token: "tok" }],
  ["dft_1", { draftId: "dft_1", token: "" }],
  ["a b c", null],
  ["", null],
] as const)("the mark %j of a copy is read as %o", ([value, mark]) =>
  Effect.sync(() => {
    expect(readMark(value)).toEqual(mark);
    expect(readMark(writeMark({ draftId: "a", token: "b" }))).toEqual({ draftId: "a", token: "b" });
  }),
);
