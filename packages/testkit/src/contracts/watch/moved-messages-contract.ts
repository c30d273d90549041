import { assert, layer } from "@effect/vitest";
import type { AccountId, MessageRef } from "@postern/core/shared";
import { type BegunMove, MovedMessages } from "@postern/core/watch";
import { Effect, type Layer } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const at = (uid: number, folderId = "inbox", uidValidity = 4_000_000_000): MessageRef => ({
  folderId,
  uidValidity,
  uid,
});
const begun = (from: MessageRef, toFolderId: string, fields: Partial<BegunMove> = {}): BegunMove => ({
  from,
  toFolderId,
  lowestUid: 5,
  begunAt: 1_000,
  emailId: null,
  messageId: "<a@x.test>",
  size: 3_000_000_000,
  arrivedAt: 1_790_000_000_000,
  ...fields,
});
const show = ({ folderId, uid }: MessageRef) => `${folderId} ${uid}`;

/** The contract of `MovedMessages` (spec 5.2). */
export const movedMessagesContract = <E>(name: string, store: Layer.Layer<MovedMessages, E>): void =>
  layer(store, { excludeTestServices: true })(name, (it) => {
    const settle = (account: AccountId, from: MessageRef, now: MessageRef, movedAt = 1_000) =>
      Effect.flatMap(MovedMessages, (moved) => moved.settle(account, [{ from, now }], movedAt));
    /** Returns the left locations of these messages, as `from > now = id`. */
    const about = Effect.fnUntraced(function* (account: AccountId, ...refs: ReadonlyArray<MessageRef>) {
      const { find } = yield* MovedMessages;
      const { left } = yield* find(
        account,
        refs.map(({ uid, ...place }) => ({ ...place, uids: [uid] })),
      );
      return left.map(({ from, now, id }) => `${show(from)} > ${show(now)} = ${show(id)}`).toSorted();
    });

    it.effect("finds a message by the location that it left, and by its location now", () =>
      Effect.gen(function* () {
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        yield* settle(account, at(4_294_967_295), at(7, "trash", 9));
        const row = ["inbox 4294967295 > trash 7 = inbox 4294967295"];
        assert.deepStrictEqual(yield* about(account, at(4_294_967_295)), row);
        assert.deepStrictEqual(yield* about(account, at(7, "trash", 9)), row);
        for (const unknown of [at(1), at(4_294_967_295, "sent"), at(4_294_967_295, "inbox", 9), at(7, "trash")]) {
          assert.deepStrictEqual(yield* about(account, unknown), []);
        }
        assert.deepStrictEqual(yield* about(account), []);
        assert.deepStrictEqual(yield* about(other, at(4_294_967_295)), []);
      }),
    );

    it.effect("keeps the id of a message through all its moves [S5.2-9]", () =>
      Effect.gen(function* () {
        const account = yield* freshAccount;
        yield* settle(account, at(1), at(2, "a"), 1);
        yield* settle(account, at(2, "a"), at(3, "b"), 2);
        yield* settle(account, at(3, "b"), at(9), 3);
        const rows = ["a 2 > inbox 9 = inbox 1", "b 3 > inbox 9 = inbox 1", "inbox 1 > inbox 9 = inbox 1"];
        assert.deepStrictEqual(yield* about(account, at(9)), rows);
        assert.deepStrictEqual(yield* about(account, at(2, "a")), [rows[0]]);
        assert.deepStrictEqual(yield* about(account, at(2, "a"), at(1)), [rows[0], rows[2]]);
      }),
    );

    it.effect("does not change a location that a message left already", () =>
      Effect.gen(function* () {
        const account = yield* freshAccount;
        yield* settle(account, at(1), at(2, "a"));
        yield* settle(account, at(2, "a"), at(3, "b"));
        // Another node records the first move late.
        yield* settle(account, at(1), at(2, "a"));
        assert.deepStrictEqual(yield* about(account, at(1)), ["inbox 1 > b 3 = inbox 1"]);
      }),
    );

    it.effect("keeps at most 64 locations of a message: that of its id, and the last [S5.2-12]", () =>
      Effect.gen(function* () {
        const account = yield* freshAccount;
        for (let uid = 1; uid <= 70; uid++) yield* settle(account, at(uid), at(uid + 1), uid);
        const rows = yield* about(account, at(71));
        assert.strictEqual(rows.length, 64);
        for (const uid of [1, 8, 70]) assert.include(rows, `inbox ${uid} > inbox 71 = inbox 1`);
        assert.notInclude(rows, "inbox 7 > inbox 71 = inbox 1");
      }),
    );

    it.effect("records many moves at once", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const account = yield* freshAccount;
        yield* moved.settle(account, [], 1_000);
        const from = Array.from({ length: 2_500 }, (_, n) => at(n + 1));
        const to = (folder: string) => from.map(({ uid }) => at(uid, folder));
        yield* moved.settle(
          account,
          from.map((one, n) => ({ from: one, now: to("a")[n]! })),
          1_000,
        );
        yield* moved.settle(
          account,
          to("a").map((one, n) => ({ from: one, now: to("b")[n]! })),
          2_000,
        );
        const { left } = yield* moved.find(account, [{ folderId: "b", uidValidity: 4_000_000_000, uids: [2_500] }]);
        assert.deepStrictEqual(left.map(({ from }) => show(from)).toSorted(), ["a 2500", "inbox 2500"]);
        assert.deepStrictEqual([...(yield* moved.listFolders(account))].toSorted(), ["a", "inbox"]);
        assert.deepStrictEqual(yield* moved.listFolders(yield* freshAccount), []);
      }),
    );

    it.effect("finds among many messages and in many mailboxes", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const account = yield* freshAccount;
        yield* settle(account, at(40_000, "f_1400"), at(7, "trash", 9));
        const uidValidity = 4_000_000_000;
        const many = Array.from({ length: 1_500 }, (_, n) => ({ folderId: `f_${n}`, uidValidity, uids: [1, 40_000] }));
        const long = { folderId: "trash", uidValidity: 9, uids: Array.from({ length: 40_000 }, (_, n) => n + 1) };
        for (const places of [many, [long], [long, ...many], [{ ...long, uids: [] }, ...many]]) {
          const { left } = yield* moved.find(account, places);
          assert.deepStrictEqual(
            [...new Set(left.map(({ from, now }) => show(from) + show(now)))],
            ["f_1400 40000trash 7"],
          );
        }
        assert.deepStrictEqual(yield* moved.find(account, []), { left: [], isMoving: false });
      }),
    );

    it.effect("lists begun moves until they are settled or given up, and gives up no later beginning", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const isMoving = (of: AccountId) =>
          Effect.map(moved.find(of, [{ folderId: "sent", uidValidity: 1, uids: [1] }]), (found) => found.isMoving);
        const listed = Effect.map(moved.listBegun(account), (all) =>
          all.toSorted((one, two) => one.from.uid - two.from.uid),
        );
        const [first, second, third] = [1, 2, 3].map((uid) => begun(at(uid), "a")) as [BegunMove, BegunMove, BegunMove];
        const same = { ...third, emailId: "M1", messageId: null, lowestUid: 4_294_967_295 };
        yield* moved.begin(account, [first, second, same]);
        assert.deepStrictEqual(yield* listed, [first, second, same]);
        assert.deepStrictEqual([yield* isMoving(account), yield* isMoving(other)], [true, false]);
        assert.deepStrictEqual([yield* moved.listFolders(account), yield* moved.listFolders(other)], [["inbox"], []]);
        const again = { ...first, lowestUid: 8, begunAt: 2_000 };
        yield* moved.begin(account, [again]);
        yield* moved.settle(account, [{ from: at(2), now: at(20, "a") }], 1_000);
        yield* moved.giveUp(account, [first, { ...again, toFolderId: "b" }]);
        yield* moved.giveUp(other, [third]);
        assert.deepStrictEqual(yield* listed, [again, same]);
        yield* moved.giveUp(account, [again, third]);
        assert.deepStrictEqual([yield* listed, yield* isMoving(account)], [[], false]);
      }),
    );

    it.effect("deletes the oldest left locations, all locations of a message together [S5.2-12]", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const account = yield* freshAccount;
        yield* settle(account, at(1), at(2), 1);
        yield* settle(account, at(11), at(12), 2);
        yield* settle(account, at(2), at(3), 3);
        yield* settle(account, at(21), at(22), 4);
        while (yield* moved.trim(4, 500));
        assert.strictEqual((yield* about(account, at(3), at(12), at(22))).length, 4);
        while (yield* moved.trim(3, 500));
        assert.deepStrictEqual(yield* about(account, at(3), at(12), at(22)), [
          "inbox 11 > inbox 12 = inbox 11",
          "inbox 21 > inbox 22 = inbox 21",
        ]);
      }),
    );

    it.effect("erases an account, and removes old begun moves", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        for (const one of [account, other]) {
          yield* settle(one, at(1), at(2));
          yield* moved.begin(one, [begun(at(8), "a", { begunAt: 100 }), begun(at(9), "a", { begunAt: 200 })]);
        }
        while (yield* moved.removeOld(200, 1));
        assert.deepStrictEqual(
          (yield* moved.listBegun(account)).map(({ from }) => from.uid),
          [9],
        );
        while (yield* moved.erase(account, 1));
        assert.deepStrictEqual([yield* about(account, at(1)), yield* moved.listBegun(account)], [[], []]);
        assert.strictEqual((yield* about(other, at(1))).length, 1);
        assert.strictEqual((yield* moved.listBegun(other)).length, 1);
      }),
    );
  });
