import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { AuditTrail } from "../../src/audit/index.ts";
import { hold } from "../../src/send/outgoing/holds.ts";
import type { OutgoingFilter } from "../../src/send/ports/OutgoingJournal.ts";
import { outgoing, statesOf } from "../outgoing.ts";
import { A, B, Journal, NOW } from "./journal-in-memory.ts";

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("the operator", () => {
  it.effect("holds all waiting messages that match, in slices of 100 [S6.7-2]", () =>
    Effect.gen(function* () {
      const journal = new Journal();
      for (let n = 100; n < 300; n++) journal.add(`m${n}`);
      const chosen = { application: "app" };
      expect(yield* journal.use((outbox) => outbox.changeAll("hold", chosen))).toEqual({ messages: 200, sending: 0 });
      expect(journal.asked).toEqual([
        [chosen, "", 100, NOW, "hold"],
        [chosen, "m199", 100, NOW, "hold"],
        [chosen, "m299", 100, NOW, "hold"],
      ]);
      expect(journal.message("m100")).toMatchObject({ heldSince: NOW, heldBy: "operator" });
      expect([journal.unpinned, journal.released, journal.probed]).toEqual([[], [], []]);
    }),
  );

  it.effect(
    "cancels waiting messages, releases their files and credentials, and leaves notices and sent messages",
    () =>
      Effect.gen(function* () {
        const journal = new Journal()
          .add("m1")
          .add("m2", { waitsFor: "s:1" })
          .add("m3", { waitsFor: "s:1", account: B })
          .add("m4", { kind: "notice", waitsFor: "s:2" })
          .add("m5", { recipients: outgoing({ "a@y.test": "sent" }).recipients, attemptAt: null });
        expect(yield* journal.use((outbox) => outbox.changeAll("cancel", { account: A }))).toEqual({
          messages: 3,
          sending: 0,
        });
        expect(journal.entries.map(({ message }) => message.recipients[0]!.state)).toEqual([
          "cancelled",
          "cancelled",
          "cancelled",
          "queued",
          "sent",
        ]);
        expect(journal.unpinned).toEqual(["m1", "m2", "m3"]);
        expect(journal.released).toEqual([A, B]);
        expect(journal.probed).toEqual([[{ server: "s:1" }, 1]]);
      }),
  );

  it.effect("keeps the files of a cancelled message whose copy in Sent is still owed [S6.1-2] [S6.6-1]", () =>
    Effect.gen(function* () {
      const { recipients } = outgoing({ "a@y.test": "sent", "b@y.test": "queued" });
      const journal = new Journal().add("m1", { recipients, copy: { state: "owed", step: 1, at: NOW + 9 } });
      yield* journal.use((outbox) => outbox.changeAll("cancel", { account: A }));
      expect(statesOf(journal.message("m1"))).toEqual({ "a@y.test": "sent", "b@y.test": "cancelled" });
      expect([journal.unpinned, journal.released]).toEqual([[], []]);
    }),
  );

  it.effect("orders the change of messages that are being sent, and counts them as sending [S6.7-3]", () =>
    Effect.gen(function* () {
      const dot = outgoing({ "a@y.test": "dot" }).recipients;
      const journal = new Journal()
        .add("m1", { recipients: dot }, true)
        .add("m2", { recipients: dot })
        .add("m3", {}, true);
      expect(yield* journal.use((outbox) => outbox.changeAll("cancel", { account: A }))).toEqual({
        messages: 0,
        sending: 3,
      });
      expect(journal.asked).toMatchObject([[{ account: A }, "", 100, NOW, "cancel"]]);
    }),
  );

  it.effect("releases what the operator holds, and orders no release of a message that is being sent", () =>
    Effect.gen(function* () {
      const waiting = { ...outgoing(), attemptAt: NOW - 5 };
      const journal = new Journal()
        .add("m1", hold(waiting, NOW - 9, "operator"))
        .add("m2", hold(waiting, NOW - 9, "suspension"))
        .add("m3");
      journal.entries = journal.entries.map((one, n) => ({ ...one, message: { ...one.message, id: `m${n + 1}` } }));
      expect(yield* journal.use((outbox) => outbox.changeAll("release", { account: A }))).toEqual({
        messages: 1,
        sending: 0,
      });
      expect(journal.message("m1")).toMatchObject({ attemptAt: NOW, heldMillis: 9 });
      expect(journal.message("m1").heldSince).toBeUndefined();
      expect(journal.message("m2").heldSince).toBe(NOW - 9);
      expect(journal.asked).toEqual([[{ account: A }, "", 100, NOW, "release"]]);
    }),
  );

  it.effect("orders the release of a message that a process may be holding by an order [S6.7-3]", () =>
    Effect.gen(function* () {
      const journal = new Journal().add("m1", { asked: "hold" }, true).add("m2", { asked: "release" }, true).add("m3");
      expect(yield* journal.use((outbox) => outbox.changeAll("release", { account: A }))).toEqual({
        messages: 0,
        sending: 1,
      });
    }),
  );

  it.effect("changes a message after its pending order, which it replaces", () =>
    Effect.gen(function* () {
      const held = hold({ ...outgoing(), attemptAt: NOW + 5 }, NOW - 9, "operator");
      const journal = new Journal().add("m1", { ...held, id: "m1", account: A, asked: "release" });
      yield* journal.use((outbox) => outbox.changeAll("hold", { account: A }));
      expect(journal.message("m1")).toMatchObject({ heldSince: NOW, heldBy: "operator", heldMillis: 9 });
      expect(journal.message("m1").asked).toBeUndefined();
    }),
  );

  it.effect("names at least one field, and is recorded with the fields [S6.7-4]", () =>
    Effect.gen(function* () {
      const journal = new Journal().add("m1");
      expect(yield* tagOf(journal.use((outbox) => outbox.changeAll("hold", { key: undefined })))).toBe("InputInvalid");
      expect(yield* tagOf(journal.use((outbox) => outbox.changeAll("hold", { state: "x" as never })))).toBe(
        "InputInvalid",
      );
      expect(journal.asked).toEqual([]);
      const recorded: Array<unknown> = [];
      const change = (chosen: OutgoingFilter) =>
        Effect.provideService(
          journal.use((outbox) => outbox.changeAll("hold", chosen)),
          AuditTrail,
          (operation, about) => Effect.sync(() => void recorded.push([operation, about])),
        );
      yield* change({ account: A, key: "k1", state: "queued" });
      yield* change({ application: "app", key: undefined });
      expect(recorded).toEqual([
        ["operator.hold", { account: A, target: "k1 queued" }],
        ["operator.hold", { target: "app" }],
      ]);
    }),
  );

  it.effect("lists the messages of all accounts, and only known fields restrict the list", () =>
    Effect.gen(function* () {
      const journal = new Journal().add("m1").add("m2", { account: B });
      const { items } = yield* journal.use((outbox) => outbox.pageOfAll({ application: "app", limit: 9 }));
      expect(items.map(({ message }) => message.id)).toEqual(["m2", "m1"]);
      expect(journal.filters).toEqual([{ application: "app" }]);
      expect(yield* tagOf(journal.use((outbox) => outbox.pageOfAll({ messageId: "x".repeat(1_001) })))).toBe(
        "InputInvalid",
      );
    }),
  );
});

describe("an application", () => {
  it.effect("has its mail held while it is suspended, and sent afterwards", () =>
    Effect.gen(function* () {
      const journal = new Journal().add("m1", { waitsFor: "s:1" });
      yield* journal.suspend(true);
      expect(journal.message("m1")).toMatchObject({ heldSince: NOW, heldBy: "suspension" });
      expect(journal.probed).toEqual([[{ server: "s:1" }, 1]]);
      yield* journal.suspend(false);
      expect(journal.message("m1").heldSince).toBeUndefined();
      expect(journal.asked).toEqual([
        [{ application: "app" }, "", 100, NOW, undefined],
        [{ application: "app" }, "", 100, NOW, undefined],
      ]);
    }),
  );
});

describe("the outbox of an account", () => {
  it.effect("goes on after notices until a page is full", () =>
    Effect.gen(function* () {
      const journal = new Journal()
        .add("m1")
        .add("m2", { kind: "notice" })
        .add("m3", { kind: "notice" })
        .add("m4")
        .add("m5");
      const page = (limit: number, cursor?: string) =>
        journal.use((outbox) => outbox.page(A, { limit, cursor, key: "k1" }));
      const first = yield* page(2);
      expect(first.items.map(({ message }) => message.id)).toEqual(["m5", "m4"]);
      expect(new Set(journal.filters)).toEqual(
        new Set([{ account: A, state: undefined, messageId: undefined, key: "k1" }]),
      );
      const second = yield* page(2, first.nextCursor!);
      expect([second.items.map(({ message }) => message.id), second.nextCursor]).toEqual([["m1"], null]);
      expect(yield* tagOf(journal.use((outbox) => outbox.page(A, { state: "x" as never })))).toBe("InputInvalid");
    }),
  );

  it.effect("has a message by its id, but no notice and no message of another account", () =>
    Effect.gen(function* () {
      const journal = new Journal().add("m1").add("m2", { kind: "notice" });
      expect((yield* journal.use((outbox) => outbox.find(A, "m1"))).message.id).toBe("m1");
      for (const [account, id] of [
        [A, "m2"],
        [A, "m3"],
        [B, "m1"],
      ] as const)
        expect(yield* tagOf(journal.use((outbox) => outbox.find(account, id)))).toBe("OutgoingNotFound");
      expect(yield* tagOf(journal.use((outbox) => outbox.find(A, "x".repeat(4_000))))).toBe("InputInvalid");
    }),
  );
});
