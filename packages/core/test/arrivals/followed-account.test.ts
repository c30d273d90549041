import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { at, followedAccount } from "./account-in-memory.ts";

const ROUND = { gone: [], held: [], isWhole: true, unread: [], isBehind: false };

describe("the folders of an account", () => {
  it.effect("begin to be followed at their present state, without INBOX", () =>
    Effect.gen(function* () {
      const { state, follow } = followedAccount("A", "B");
      state.known = null;
      state.standings.set("B", at(7)).set("unknown", at(9));
      yield* follow(Effect.void);
      expect(state.begun).toEqual([
        [
          ["A", at(2)],
          ["B", at(7)],
        ],
      ]);
      const again = followedAccount("A");
      yield* again.follow(Effect.void);
      expect(again.state.begun).toEqual([]);
    }),
  );

  it.effect("do not begin to be followed by a watch that is lost", () =>
    Effect.gen(function* () {
      const { state, follow } = followedAccount("A");
      state.known = null;
      state.isHeld = false;
      yield* follow(Effect.void);
      expect([state.begun, state.rounds]).toEqual([[], []]);
    }),
  );

  it.effect("are polled if they changed, INBOX last, and each round is confirmed", () =>
    Effect.gen(function* () {
      const { state, follow, finished } = followedAccount("A", "B", "C");
      state.standings.set("B", at(3));
      yield* follow(Effect.void);
      expect(state.rounds).toEqual([{ ...ROUND, polled: "B,INBOX" }]);
      expect([finished(), state.reads]).toEqual([1, [1, 1]]);
    }),
  );

  it.effect("are listed again if the server reports a mailbox that is not known, or one less", () =>
    Effect.gen(function* () {
      const { state, follow } = followedAccount("A");
      yield* follow(Effect.void);
      expect(state.listings).toBe(1);
      const added = followedAccount("A");
      added.state.late.push("New");
      added.state.standings.set("New", at(1));
      yield* added.follow(Effect.void);
      expect([added.state.listings, added.state.rounds[0]]).toEqual([2, { ...ROUND, polled: "New,INBOX" }]);
      const renamed = followedAccount("A");
      renamed.state.standings.delete("A");
      renamed.state.standings.set("Z", at(2));
      yield* renamed.follow(Effect.void);
      expect(renamed.state.listings).toBe(2);
    }),
  );

  it.effect("that are gone end, unless Postern is removing a folder", () =>
    Effect.gen(function* () {
      const gone = (hidden: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const { state, follow } = followedAccount("A");
          state.known!.set("old", { cursor: at(2), seenFrom: 1 });
          state.hidden.push(...hidden);
          yield* follow(Effect.void);
          return state.rounds.map((one) => one["gone"]);
        });
      expect(yield* gone([])).toEqual([["old old "]]);
      expect(yield* gone(["A", "postern-removal-1"])).toEqual([]);
    }),
  );

  it.effect("that are gone keep the id of the last listing that had them", () =>
    Effect.gen(function* () {
      const { state, follow, pass } = followedAccount("A", "B");
      yield* follow(
        Effect.gen(function* () {
          state.keys = ["B"];
          state.standings.delete("A");
          state.announced.push(null);
          yield* pass(3);
        }),
      );
      expect(state.rounds.at(-1)).toEqual({ ...ROUND, polled: "INBOX", gone: ["id of A A "] });
    }),
  );

  it.effect("that the server announces are polled, and no other, at once", () =>
    Effect.gen(function* () {
      const { state, follow, pass } = followedAccount("A", "B");
      yield* follow(
        Effect.gen(function* () {
          state.announced.push(new Set(["B"]));
          yield* pass(3);
          expect(state.rounds).toEqual([{ ...ROUND, polled: "B,INBOX", isWhole: false }]);
          state.announced.push(new Set());
          yield* pass(3);
          expect(state.rounds.slice(1)).toEqual([{ ...ROUND, polled: "INBOX", isWhole: false }]);
          state.announced.push(null);
          yield* pass(3);
          expect(state.rounds.slice(2)).toEqual([{ ...ROUND, polled: "INBOX" }]);
          expect(state.listings).toBe(2);
        }),
      );
    }),
  );

  it.effect("with further changes are polled again at once, without a catch-up after the last", () =>
    Effect.gen(function* () {
      const { state, follow } = followedAccount("A", "B");
      state.standings.set("A", at(3));
      state.rests.push({ unfinished: ["A"] }, {});
      yield* follow(Effect.void, true);
      expect(state.rounds).toEqual([
        { ...ROUND, polled: "A,INBOX", isBehind: true },
        { ...ROUND, polled: "A,INBOX", isWhole: false, isBehind: true },
      ]);
    }),
  );

  it.effect("are no backfill once the account has caught up", () =>
    Effect.gen(function* () {
      const { state, follow, pass } = followedAccount("A");
      state.standings.set("A", at(3));
      yield* follow(
        Effect.gen(function* () {
          state.announced.push(new Set(["A"]));
          yield* pass(3);
        }),
        true,
      );
      expect(state.rounds.map((one) => one["isBehind"])).toEqual([true, false]);
    }),
  );

  it.effect("that the server does not open delay what is held for a minute [S7.11-4]", () =>
    Effect.gen(function* () {
      const { state, follow, pass } = followedAccount("A", "B");
      state.standings.delete("A");
      state.standings.set("B", at(3));
      yield* follow(
        Effect.gen(function* () {
          expect(state.rounds[0]).toEqual({ ...ROUND, polled: "B,INBOX", unread: ["A"] });
          yield* pass(58);
          expect(state.rounds.at(-1)?.["unread"]).toEqual(["A"]);
          yield* pass(42);
          expect(state.rounds.at(-1)?.["unread"]).toEqual([]);
        }),
      );
    }),
  );

  it.effect("with held changes are all polled in the next round, which gets these changes", () =>
    Effect.gen(function* () {
      const { state, follow } = followedAccount("A", "B");
      state.standings.set("A", at(3)).set("B", at(3));
      state.rests.push({ held: ["1 1 A"], unfinished: ["A"] }, {});
      yield* follow(Effect.void);
      expect(state.rounds).toEqual([
        { ...ROUND, polled: "A,B,INBOX" },
        { ...ROUND, polled: "A,B,INBOX", held: ["1 1 A"] },
      ]);
    }),
  );
});

it.effect("Drafts is polled once in ten seconds at most [S7.11-6]", () =>
  Effect.gen(function* () {
    const { state, follow, pass } = followedAccount("drafts", "A");
    state.standings.set("drafts", at(3));
    yield* follow(
      Effect.gen(function* () {
        state.announced.push(new Set(["drafts", "A"]));
        yield* pass(8);
        const first = { ...ROUND, polled: "drafts,INBOX" };
        expect(state.rounds).toEqual([first, { ...ROUND, polled: "A,INBOX", isWhole: false }]);
        yield* pass(2);
        expect(state.rounds.slice(2)).toEqual([{ ...first, isWhole: false }]);
        yield* pass(30);
        expect(state.rounds.slice(3)).toEqual([]);
      }),
    );
  }),
);
