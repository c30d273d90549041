import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { FollowedMailboxes, type SeenMessage } from "@postern/core/watch";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const message = (uid: number, rest: Partial<SeenMessage> = {}): SeenMessage => ({
  uid,
  emailId: null,
  messageId: `<${uid}@postern.test>`,
  size: 1_000 + uid,
  arrivedAt: 1_900_000_000_000 + uid,
  unread: true,
  flagged: false,
  answered: false,
  labels: [[], ["Größe", "Work"], null][uid % 3]!,
  ...rest,
});

const cursor = (uidNext: number, highestModSeq: number | null = 0xffff_ffff_ffff) => ({
  uidValidity: 0xffff_ffff,
  uidNext,
  highestModSeq,
});

const sync = (remember: ReadonlyArray<SeenMessage>, forget: ReadonlyArray<number> = [], reset = false) => ({
  cursor: cursor(99),
  seenFrom: 1,
  changes: [],
  reset,
  remember,
  forget,
});

const ascending = (one: number, other: number) => one - other;

/** Returns all seen messages of a folder. */
const seenIn = Effect.fnUntraced(function* (account: AccountId, folderId: string) {
  const mailboxes = yield* FollowedMailboxes;
  const all: Array<SeenMessage> = [];
  for (;;) {
    const some = yield* mailboxes.listSeenFrom(account, folderId, (all.at(-1)?.uid ?? 0) + 1);
    if (some.length === 0) return all;
    assert.isAtMost(some.length, 1_000);
    all.push(...some);
  }
});
const uidsIn = (account: AccountId, folderId: string) =>
  Effect.map(seenIn(account, folderId), (all) => all.map(({ uid }) => uid));

/** The contract of `FollowedMailboxes` (spec 7). */
export const followedMailboxesContract = (name: string, live: Layer.Layer<FollowedMailboxes, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("begins once, and moveTo replaces any earlier state", () =>
      Effect.gen(function* () {
        const mailboxes = yield* FollowedMailboxes;
        const account = yield* freshAccount;
        assert.deepStrictEqual(yield* mailboxes.find(account, "inbox"), Option.none());
        yield* mailboxes.begin(account, "inbox", cursor(5));
        yield* mailboxes.begin(account, "inbox", cursor(7));
        assert.deepStrictEqual(
          yield* mailboxes.find(account, "inbox"),
          Option.some({ cursor: cursor(5), seenFrom: 5 }),
        );
        yield* mailboxes.save(account, "inbox", sync([message(1)]));
        assert.deepStrictEqual(
          yield* mailboxes.find(account, "inbox"),
          Option.some({ cursor: cursor(99), seenFrom: 1 }),
        );
        yield* mailboxes.moveTo(account, "inbox", cursor(8, null));
        assert.deepStrictEqual(
          yield* mailboxes.find(account, "inbox"),
          Option.some({ cursor: cursor(8, null), seenFrom: 8 }),
        );
        assert.deepStrictEqual(yield* mailboxes.find(account, "f_other"), Option.none());
      }),
    );

    it.effect("stores every field of many seen messages, by folder", () =>
      Effect.gen(function* () {
        const mailboxes = yield* FollowedMailboxes;
        const account = yield* freshAccount;
        const odd = [
          message(1, { emailId: "M1", messageId: null, unread: false }),
          message(2, { flagged: true, size: 0 }),
          message(0xffff_ffff, { answered: true, messageId: "<ünï 💌>", unread: false, flagged: true }),
        ];
        const many = Array.from({ length: 2_500 }, (_, n) => message(10 + n));
        yield* mailboxes.save(account, "inbox", sync([...odd, ...many]));
        yield* mailboxes.save(account, "f_other", sync([message(1)]));
        assert.deepStrictEqual(yield* seenIn(account, "inbox"), [odd[0]!, odd[1]!, ...many, odd[2]!]);
        assert.deepStrictEqual((yield* mailboxes.listSeenFrom(account, "inbox", 3))[0], many[0]);
        const wanted = [2, 4, ...many.slice(0, 1_500).map(({ uid }) => uid)];
        const some = yield* mailboxes.findSeen(account, "inbox", wanted);
        assert.deepStrictEqual(some.get(2), odd[1]);
        assert.strictEqual(some.size, 1_501);
        yield* mailboxes.save(account, "inbox", sync([message(2), message(3)], [1, ...many.map(({ uid }) => uid)]));
        assert.deepStrictEqual(yield* uidsIn(account, "inbox"), [2, 3, 0xffff_ffff]);
        yield* mailboxes.save(account, "inbox", sync([message(7)], [], true));
        assert.deepStrictEqual(yield* seenIn(account, "inbox"), [message(7)]);
        assert.deepStrictEqual(yield* uidsIn(account, "f_other"), [1]);
        while (yield* mailboxes.erase(account, 1));
        assert.deepStrictEqual(yield* seenIn(account, "inbox"), []);
        assert.deepStrictEqual(yield* mailboxes.find(account, "inbox"), Option.none());
      }),
    );

    it.effect("backfills slice by slice, replacing the messages that an earlier watch saw", () =>
      Effect.gen(function* () {
        const mailboxes = yield* FollowedMailboxes;
        const account = yield* freshAccount;
        yield* mailboxes.save(account, "inbox", sync([message(1), message(3), message(6), message(9), message(20)]));
        yield* mailboxes.save(account, "f_other", sync([message(20)]));
        yield* mailboxes.moveTo(account, "inbox", cursor(10));
        assert.notInclude(yield* uidsIn(account, "inbox"), 20, "newer messages are not recorded yet");
        const now = message(6, { flagged: true });
        yield* mailboxes.backfill(account, "inbox", { from: 5, below: 10 }, [now, message(7)]);
        const found = Effect.map(mailboxes.find(account, "inbox"), Option.getOrThrow);
        assert.deepStrictEqual(yield* found, { cursor: cursor(10), seenFrom: 5 });
        assert.deepStrictEqual(yield* mailboxes.listSeenFrom(account, "inbox", 5), [now, message(7)]);
        yield* mailboxes.save(account, "inbox", { ...sync([message(11)], [7]), cursor: cursor(12), seenFrom: 5 });
        yield* mailboxes.backfill(account, "inbox", { from: 1, below: 5 }, [message(3)]);
        assert.deepStrictEqual(yield* found, { cursor: cursor(12), seenFrom: 1 });
        assert.deepStrictEqual(yield* uidsIn(account, "inbox"), [3, 6, 11]);
        assert.deepStrictEqual(yield* uidsIn(account, "f_other"), [20]);
      }),
    );

    it.effect("stores expected messages until they are removed or expire", () =>
      Effect.gen(function* () {
        const mailboxes = yield* FollowedMailboxes;
        const account = yield* freshAccount;
        const expected = (n: number, until: number) => ({
          id: `${account} ${n}`,
          until,
          emailId: null,
          messageId: n === 1 ? null : `<${n}@postern.test>`,
          size: n,
          arrivedAt: 1_000 * n,
        });
        yield* mailboxes.expect(account, "inbox", [expected(1, 2_000), expected(2, 3_000)]);
        yield* mailboxes.expect(account, "f_other", [expected(3, 9_000)]);
        const ids = (now: number) =>
          Effect.map(mailboxes.listExpected(account, "inbox", now), (all) =>
            all.map(({ size }) => size).toSorted(ascending),
          );
        assert.deepStrictEqual(yield* mailboxes.listExpected(account, "f_other", 0), [expected(3, 9_000)]);
        assert.deepStrictEqual(yield* ids(2_000), [1, 2]);
        assert.deepStrictEqual(yield* ids(2_001), [2]);
        while (yield* mailboxes.removeOld(2_001, 0, 1));
        assert.deepStrictEqual(yield* ids(0), [2]);
        yield* mailboxes.forgetExpected(account, "inbox", [expected(2, 0).id, expected(3, 0).id]);
        assert.deepStrictEqual(yield* ids(2_001), []);
        assert.strictEqual((yield* mailboxes.listExpected(account, "f_other", 0)).length, 1);
      }),
    );

    it.effect("stores messages that left a mailbox until they come back or are too old", () =>
      Effect.gen(function* () {
        const mailboxes = yield* FollowedMailboxes;
        const account = yield* freshAccount;
        const left = (n: number, size: number) => ({
          id: `${account} ${n}`,
          leftAt: 1_000 * n,
          emailId: n === 1 ? "M1" : null,
          messageId: n === 2 ? null : `<${n}@postern.test>`,
          size,
          arrivedAt: 10 * n,
        });
        const [one, two, three] = [left(1, 70), left(2, 70), left(3, 80)];
        yield* mailboxes.recordLeft(account, "inbox", [one, two, three]);
        yield* mailboxes.recordLeft(account, "f_other", [left(4, 70)]);
        const byTime = (all: ReadonlyArray<{ readonly leftAt: number }>) =>
          all.toSorted((a, b) => ascending(a.leftAt, b.leftAt));
        const found = (sizes: ReadonlyArray<number>, since = 0) =>
          Effect.map(mailboxes.findLeft(account, "inbox", sizes, since), byTime);
        assert.deepStrictEqual(yield* found([70, 70, 90]), [one, two]);
        assert.deepStrictEqual(yield* found([80, 70]), [one, two, three]);
        assert.deepStrictEqual(yield* found([80, 70], 2_000), [two, three]);
        assert.deepStrictEqual(yield* mailboxes.findLeft(yield* freshAccount, "inbox", [70], 0), []);
        yield* mailboxes.forgetLeft(account, [two.id]);
        assert.deepStrictEqual(yield* found([80, 70]), [one, three]);
        const removeOld = (before: number) =>
          Effect.gen(function* () {
            while (yield* mailboxes.removeOld(0, before, 1));
          });
        yield* removeOld(1_000);
        assert.deepStrictEqual(yield* found([80, 70]), [one, three]);
        yield* removeOld(1_001);
        assert.deepStrictEqual(yield* found([80, 70]), [three]);
        yield* mailboxes.erase(account, 100);
        assert.deepStrictEqual(yield* found([80, 70]), []);
      }),
    );

    it.effect("follows all folders of an account from a start to an end", () =>
      Effect.gen(function* () {
        const mailboxes = yield* FollowedMailboxes;
        const account = yield* freshAccount;
        const followed = Effect.map(
          mailboxes.listFollowed(account),
          Option.map((all) => new Map([...all].map(([id, { seenFrom }]) => [id, seenFrom]))),
        );
        yield* mailboxes.moveTo(account, "inbox", cursor(5));
        yield* mailboxes.save(account, "f_old", sync([message(1)]));
        assert.deepStrictEqual(yield* followed, Option.none());
        yield* mailboxes.beginAll(
          account,
          new Map([
            ["inbox", cursor(99)],
            ["f_one", cursor(3)],
            ["f_two", cursor(1)],
          ]),
        );
        assert.deepStrictEqual(
          yield* followed,
          Option.some(
            new Map([
              ["f_one", 3],
              ["f_two", 1],
              ["inbox", 5],
            ]),
          ),
        );
        assert.deepStrictEqual(yield* seenIn(account, "f_old"), []);
        yield* mailboxes.save(account, "f_one", sync([message(7), message(8)]));
        assert.deepStrictEqual(yield* mailboxes.progress(account), { folders: 3, done: 2, messages: 2 });
        yield* mailboxes.end(account, "f_two");
        assert.isTrue(Option.isNone(yield* mailboxes.find(account, "f_two")));
        yield* mailboxes.save(account, "f_two", sync([message(7)]));
        yield* mailboxes.end(account, "f_two");
        assert.deepStrictEqual(yield* seenIn(account, "f_two"), []);
        assert.deepStrictEqual(yield* mailboxes.progress(account), { folders: 2, done: 1, messages: 2 });
        yield* mailboxes.endAll(account);
        assert.deepStrictEqual(yield* followed, Option.none());
        assert.deepStrictEqual(yield* seenIn(account, "f_one"), []);
        assert.isTrue(Option.isSome(yield* mailboxes.find(account, "inbox")));
        yield* mailboxes.beginAll(account, new Map());
        while (yield* mailboxes.erase(account, 100));
        assert.deepStrictEqual(yield* followed, Option.none());
      }),
    );

    it.effect("finds seen messages by their sizes in all folders", () =>
      Effect.gen(function* () {
        const mailboxes = yield* FollowedMailboxes;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        yield* mailboxes.save(account, "inbox", sync([message(1), message(2)]));
        yield* mailboxes.save(account, "f_one", sync([message(3, { size: 1_001 })]));
        yield* mailboxes.save(other, "inbox", sync([message(1)]));
        const found = (yield* mailboxes.findAlike(account, [1_001, 5])).map(({ folderId, message: { uid } }) => [
          folderId,
          uid,
        ]);
        assert.sameDeepMembers(found, [
          ["f_one", 3],
          ["inbox", 1],
        ]);
        assert.deepStrictEqual(yield* mailboxes.findAlike(account, []), []);
      }),
    );
  });
