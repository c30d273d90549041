import { it } from "@effect/vitest";
import { Duration, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { MessageActions } from "../../src/messages/index.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const world = () =>
  new MailboxWorld([
    { id: "inbox", role: "inbox", messages: [stored(1), stored(2), stored(3)] },
    { id: "A", messages: [stored(1)] },
    { id: "Name", selectable: false, messages: [] },
  ]);
const actionsOf = (mail: MailboxWorld) => {
  const layer = MessageActions.layer.pipe(Layer.provide(mail.layer));
  return <A, E>(use: (actions: MessageActions["Service"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(MessageActions, use).pipe(Effect.provide(layer));
};
const IN_A = idOf("A", 1);
const inbox = (uid: number) => idOf("inbox", uid);
const uids = (mail: MailboxWorld, id: string) => mail.folder(id)!.messages.map(({ uid }) => uid);
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("an action on many messages", () => {
  it.effect("changes flags by one command for each mailbox, and reports each message in the order asked", () =>
    Effect.gen(function* () {
      const mail = world();
      const run = actionsOf(mail);
      const ids = [inbox(3), IN_A, inbox(9), inbox(1), inbox(3)];
      const { movedTo, outcomes } = yield* run((actions) =>
        actions.carryOut(ME, ids, { _tag: "Change", flags: { flagged: true } }),
      );
      expect(movedTo).toBeNull();
      expect(outcomes).toEqual(ids.map((id) => ({ id, found: id !== inbox(9), newId: id === inbox(9) ? null : id })));
      expect(mail.log.slice(0, 4)).toEqual(["flag inbox 3,9,1", "changed", "flag A 1", "changed"]);
      expect(mail.folder("inbox")!.messages.map(({ flagged }) => flagged)).toEqual([true, false, true]);
    }),
  );

  it.effect("moves to a folder and keeps the ids, or tells that the new place is unknown [S5.2-9]", () =>
    Effect.gen(function* () {
      const mail = world();
      const run = actionsOf(mail);
      yield* TestClock.setTime(500);
      const move = run((actions) => actions.carryOut(ME, [inbox(1)], { _tag: "Change", flags: {}, folderId: "A" }));
      const kept = { movedTo: "A", outcomes: [{ id: inbox(1), found: true, newId: inbox(1) }] };
      expect(yield* move).toEqual(kept);
      // The move is recorded before its command.
      expect(mail.log).toEqual(["begin inbox [1] in A", "move inbox 1 to A", "changed"]);
      const from = { folderId: "inbox", uidValidity: 1, uid: 1 };
      expect(mail.left).toEqual([{ from, now: { folderId: "A", uidValidity: 1, uid: 101 }, id: from }]);
      // The id finds the message in the new folder, so the message stays there.
      expect(yield* move).toEqual(kept);
      expect(mail.left).toHaveLength(1);

      mail.reportsUids = false;
      const unknown = yield* run((actions) =>
        actions.carryOut(ME, [inbox(2)], { _tag: "Change", flags: { unread: false }, folderId: "A" }),
      );
      expect(unknown.outcomes).toEqual([{ id: inbox(2), found: true, newId: null }]);
      expect(mail.left).toHaveLength(1);
      expect(mail.message("A", 102)?.unread).toBe(false);
    }),
  );

  it.effect("leaves a message that is already in the folder", () =>
    Effect.gen(function* () {
      const mail = world();
      const run = actionsOf(mail);
      const stay = (flags: { readonly unread?: boolean }) =>
        run((actions) => actions.carryOut(ME, [IN_A], { _tag: "Change", flags, folderId: "A" }));
      expect(yield* stay({})).toEqual({ movedTo: "A", outcomes: [{ id: IN_A, found: true, newId: IN_A }] });
      yield* stay({ unread: false });
      expect(mail.log).toEqual(["flag A 1", "changed", "flag A 1", "changed"]);
      expect(mail.message("A", 1)?.unread).toBe(false);
    }),
  );

  it.effect("moves to Trash, which is created if it is missing, or destroys", () =>
    Effect.gen(function* () {
      const mail = world();
      const run = actionsOf(mail);
      const trashed = yield* run((actions) => actions.carryOut(ME, [inbox(1)], { _tag: "Trash" }));
      expect(trashed).toEqual({
        movedTo: "Trash",
        outcomes: [{ id: inbox(1), found: true, newId: inbox(1) }],
      });
      const destroyed = yield* run((actions) => actions.carryOut(ME, [inbox(2), inbox(8)], { _tag: "Destroy" }));
      expect(destroyed).toEqual({
        movedTo: null,
        outcomes: [
          { id: inbox(2), found: true, newId: null },
          { id: inbox(8), found: false, newId: null },
        ],
      });
      expect([uids(mail, "inbox"), uids(mail, "Trash")]).toEqual([[3], [100]]);
    }),
  );

  it.effect("lists the folders only for messages that are not at their stored locations", () =>
    Effect.gen(function* () {
      const mail = world();
      const run = actionsOf(mail);
      const flag = (...ids: ReadonlyArray<string>) =>
        run((actions) => actions.carryOut(ME, ids, { _tag: "Change", flags: { flagged: true } }));
      yield* flag(inbox(1));
      expect(mail.log).not.toContain("list");
      mail.unheard.add(inbox(2));
      expect((yield* flag(inbox(1), inbox(2))).outcomes.map(({ found }) => found)).toEqual([true, true]);
      expect(mail.log.slice(2)).toEqual(["flag inbox 1", "changed", "list", "flag inbox 2", "changed"]);
      expect((yield* flag()).outcomes).toEqual([]);
      expect((yield* flag(idOf("Gone", 1))).outcomes[0]?.found).toBe(false);
    }),
  );

  it.effect("needs a folder that exists and holds messages", () =>
    Effect.gen(function* () {
      const run = actionsOf(world());
      const move = (folderId: string) =>
        tagOf(run((actions) => actions.carryOut(ME, [inbox(1)], { _tag: "Change", flags: {}, folderId })));
      expect([yield* move("Nowhere"), yield* move("Name")]).toEqual(["FolderNotFound", "FolderNotSelectable"]);
      const many = Array.from({ length: 1_001 }, (_, n) => inbox(n + 1));
      const all = (ids: ReadonlyArray<string>) => run((actions) => actions.carryOut(ME, ids, { _tag: "Destroy" }));
      expect(yield* tagOf(all(many))).toBe("InputInvalid");
      expect((yield* all(many.slice(1))).outcomes).toHaveLength(1_000);
    }),
  );
});

describe("the change of one message", () => {
  it.effect("returns it as changed", () =>
    Effect.gen(function* () {
      const mail = world();
      const run = actionsOf(mail);
      const { id, folder, message } = yield* run((actions) =>
        actions.change(ME, inbox(1), { flagged: true }, undefined),
      );
      expect([id, folder.path, message.uid, message.flagged]).toEqual([inbox(1), "inbox", 1, true]);
      expect(mail.log).toEqual(["flag inbox 1", "changed"]);
    }),
  );

  it.effect(
    "returns the message at its new place with its id, or without both if the server does not report the place",
    () =>
      Effect.gen(function* () {
        const mail = world();
        const run = actionsOf(mail);
        const move = (id: string) => run((actions) => actions.change(ME, id, { unread: false }, "A"));
        const moved = yield* move(inbox(1));
        expect([moved.id, moved.folder.path, moved.message.uid, moved.message.unread]).toEqual([
          inbox(1),
          "A",
          101,
          false,
        ]);
        mail.reportsUids = false;
        const lost = yield* move(inbox(2));
        expect([lost.id, lost.folder.path, lost.message.uid, lost.message.unread]).toEqual([null, "A", null, false]);
      }),
  );

  it.effect("needs a message and a change", () =>
    Effect.gen(function* () {
      const run = actionsOf(world());
      expect(yield* tagOf(run((actions) => actions.change(ME, inbox(9), { flagged: true }, undefined)))).toBe(
        "MessageNotFound",
      );
      expect(yield* tagOf(run((actions) => actions.change(ME, inbox(9), {}, "A")))).toBe("MessageNotFound");
      expect(yield* tagOf(run((actions) => actions.change(ME, inbox(1), {}, undefined)))).toBe("InputInvalid");
    }),
  );
});

it.effect("removing one message moves it to Trash, or destroys it", () =>
  Effect.gen(function* () {
    const mail = world();
    const run = actionsOf(mail);
    expect((yield* run((actions) => actions.remove(ME, inbox(1), false))).movedTo).toBe("Trash");
    expect((yield* run((actions) => actions.remove(ME, inbox(2), true))).movedTo).toBeNull();
    expect([uids(mail, "inbox"), uids(mail, "Trash")]).toEqual([[3], [100]]);
    expect(yield* tagOf(run((actions) => actions.remove(ME, inbox(9), true)))).toBe("MessageNotFound");
  }),
);

it.effect("moves of unknown outcome are kept for 90 days, and up to a million left locations of an account", () =>
  Effect.gen(function* () {
    const mail = world();
    const now = Duration.toMillis("100 days");
    yield* TestClock.setTime(now);
    yield* actionsOf(mail)((actions) => actions.sweep);
    expect(mail.log).toEqual([`forget moves ${Duration.toMillis("10 days")} 50`, "trim 1000000 5000"]);
  }),
);
