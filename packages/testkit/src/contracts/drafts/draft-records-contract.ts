import { assert, layer } from "@effect/vitest";
import { type Draft, DraftRecords, NEW_DRAFT } from "@postern/core/drafts";
import { type AccountId, Transaction } from "@postern/core/shared";
import { Effect, Fiber, type Layer, Option } from "effect";
import { assertChangesWait } from "../assert-changes-wait.ts";
import { assertWakesAlthoughInterrupted } from "../assert-wakes-although-interrupted.ts";
import { besideTransaction } from "../beside-transaction.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

const lease = (token: string, until: number) => ({ token, until });

const draftOf = (account: AccountId, changes: Partial<Draft> = {}): Draft => ({
  ...NEW_DRAFT,
  id: `dft_${uuid()}`,
  account,
  savedAt: 1_000,
  contents: {
    from: { name: "Ünal", address: "a@x.test" },
    to: [{ name: "", address: "half an addr" }],
    cc: [],
    bcc: [{ name: "B", address: "b@y.test" }],
    replyTo: [],
    subject: "s",
    text: "t",
    html: null,
    inReplyTo: "<1@x>",
    references: ["<1@x>"],
    headers: [["X-A", "b"]],
    attachments: [{ uploadId: "up_1", name: "a.txt", type: "text/plain", size: 3, contentId: null }],
    trackOpens: false,
    sendAt: null,
    replyToMessageId: null,
  },
  copy: { path: "Drafts", uidValidity: 4_000_000_000, uid: 7 },
  token: "t1",
  pending: [{ token: "t2", checksum: "7-a-b" }],
  ...changes,
});

/** Claims all due drafts, so that no test sees drafts of another. */
const drainDrafts = Effect.gen(function* () {
  const records = yield* DraftRecords;
  for (const { account, id } of yield* records.claim(1e14, lease(uuid(), 2e14), 10_000))
    yield* records.remove(account, id);
});

/** The contract of `DraftRecords` (spec 12.1). */
export const draftRecordsContract = <E>(name: string, store: Layer.Layer<DraftRecords | Transaction, E>): void =>
  layer(store, { excludeTestServices: true })(name, (it) => {
    it.effect("stores drafts of an account, and lists those that are not sent, newest save first", () =>
      Effect.gen(function* () {
        const records = yield* DraftRecords;
        const account = yield* freshAccount;
        const [old, recent] = [draftOf(account), draftOf(account, { savedAt: 2_000, state: "sending" })];
        const sent = draftOf(account, { state: "sent" });
        for (const draft of [old, recent, sent, draftOf(yield* freshAccount)]) {
          assert.isTrue(yield* records.insert(draft));
        }
        assert.isFalse(yield* records.insert({ ...old, version: 9 }));
        assert.deepStrictEqual(yield* records.list(account), [recent, old]);
        assert.deepStrictEqual(yield* records.find(account, sent.id), Option.some(sent));
        assert.deepStrictEqual(yield* records.find(yield* freshAccount, old.id), Option.none());
        for (const id of ["", "\0", "unknown"]) assert.deepStrictEqual(yield* records.find(account, id), Option.none());
        yield* records.remove(yield* freshAccount, old.id);
        assert.isTrue(Option.isSome(yield* records.find(account, old.id)));
        yield* records.remove(account, old.id);
        assert.deepStrictEqual(yield* records.list(account), [recent]);
      }),
    );

    it.effect("changes a draft one request at a time, and not beyond a rollback", () =>
      Effect.gen(function* () {
        const records = yield* DraftRecords;
        const account = yield* freshAccount;
        const draft = draftOf(account);
        yield* records.insert(draft);
        const more = records.change(account, draft.id, (known) => [
          known.version,
          { ...known, version: known.version + 1 },
        ]);
        const versions = yield* Effect.all(
          Array.from({ length: 10 }, () => more),
          { concurrency: "unbounded" },
        );
        assert.deepStrictEqual(
          versions.map(Option.getOrThrow).toSorted((a, b) => a - b),
          Array.from({ length: 10 }, (_, n) => n + 1),
        );
        assert.deepStrictEqual(yield* records.change(account, "unknown", (known) => [1, known]), Option.none());
        assert.deepStrictEqual(
          yield* records.change(yield* freshAccount, draft.id, (known) => [1, known]),
          Option.none(),
        );
        const transaction = yield* Transaction;
        yield* Effect.exit(transaction.run(Effect.andThen(more, Effect.fail("rolled back"))));
        assert.strictEqual(Option.getOrThrow(yield* records.find(account, draft.id)).version, 11);
      }),
    );

    it.effect("lets a change that changes nothing wait for another transaction, and the other for it", () =>
      Effect.gen(function* () {
        const records = yield* DraftRecords;
        const account = yield* freshAccount;
        const draft = draftOf(account);
        yield* records.insert(draft);
        yield* assertChangesWait(
          records.change(account, draft.id, (known) => [known.version, known]),
          records.change(account, draft.id, (known) => [known.version, { ...known, version: known.version + 1 }]),
        );
      }),
    );

    it.effect("leases a draft that is due to one caller, until it is changed to another time", () =>
      Effect.gen(function* () {
        yield* drainDrafts;
        const records = yield* DraftRecords;
        const account = yield* freshAccount;
        const [one, idle] = [draftOf(account, { state: "sending", checkAt: 5_000 }), draftOf(account)];
        for (const draft of [one, idle]) yield* records.insert(draft);
        assert.isTrue(yield* records.hasUnfinished(account));
        assert.deepStrictEqual(yield* records.nextDue, Option.some(5_000));
        assert.deepStrictEqual(yield* records.claim(4_999, lease("a", 9_000), 10), []);
        assert.deepStrictEqual(yield* records.claim(5_000, lease("a", 9_000), 10), [one]);
        assert.deepStrictEqual(yield* records.claim(8_999, lease("b", 9_500), 10), []);
        assert.deepStrictEqual(yield* records.renew([one.id], lease("a", 10_000)), new Set([one.id]));
        assert.deepStrictEqual(yield* records.renew([one.id], lease("b", 10_000)), new Set());
        assert.deepStrictEqual(yield* records.claim(10_000, lease("c", 20_000), 10), [one]);
        yield* records.release([one.id], "c", 6_000);
        assert.deepStrictEqual(yield* records.nextDue, Option.some(6_000));
        assert.lengthOf(yield* records.claim(6_000, lease("d", 20_000), 10), 1);
        yield* records.change(account, one.id, (known) => [undefined, { ...known, checkAt: 7_000 }]);
        assert.deepStrictEqual(yield* records.nextDue, Option.some(7_000));
        assert.deepStrictEqual(yield* records.renew([one.id], lease("d", 30_000)), new Set());
        yield* records.change(account, one.id, (known) => [undefined, { ...known, state: "draft", checkAt: null }]);
        assert.deepStrictEqual(yield* records.nextDue, Option.none());
        assert.isFalse(yield* records.hasUnfinished(account));
      }),
    );

    it.effect("wakes a worker that waits when a draft falls due", () =>
      Effect.gen(function* () {
        yield* drainDrafts;
        const records = yield* DraftRecords;
        const account = yield* freshAccount;
        const draft = draftOf(account);
        yield* records.insert(draft);
        yield* records.nextDue;
        const woken = yield* Effect.forkChild(records.changed);
        yield* records.change(account, draft.id, (known) => [undefined, { ...known, checkAt: 1 }]);
        yield* Effect.timeout(Fiber.join(woken), "5 seconds");
      }),
    );

    it.effect("wakes a worker that waits although the caller that wrote the draft was interrupted", () =>
      Effect.gen(function* () {
        yield* drainDrafts;
        const records = yield* DraftRecords;
        yield* assertWakesAlthoughInterrupted({
          newItem: Effect.map(freshAccount, (account) => draftOf(account, { checkAt: 1 })),
          write: records.insert,
          isWritten: ({ account, id }) => Effect.map(records.find(account, id), Option.isSome),
          changed: records.changed,
        });
        yield* drainDrafts;
      }),
    );

    it.effect("forgets drafts without a copy by their age, and erases an account [S12.1-25]", () =>
      Effect.gen(function* () {
        yield* drainDrafts;
        const records = yield* DraftRecords;
        const account = yield* freshAccount;
        const gone = draftOf(account, { copy: null, state: "sent", savedAt: 10 });
        const others = [
          draftOf(account, { copy: null, savedAt: 20 }),
          draftOf(account, { savedAt: 10 }),
          draftOf(account, { copy: null, savedAt: 10, checkAt: 5 }),
        ];
        for (const draft of [gone, ...others]) yield* records.insert(draft);
        const forgotten = yield* records.forget(20, 10_000);
        assert.include(forgotten, gone.id);
        for (const { id } of others) assert.notInclude(forgotten, id);
        assert.deepStrictEqual(yield* records.find(account, gone.id), Option.none());
        while (yield* records.erase(account, 2));
        assert.deepStrictEqual(yield* records.list(account), []);
      }),
    );

    it.effect("keeps an old draft that a transaction saves again meanwhile", () =>
      Effect.gen(function* () {
        const records = yield* DraftRecords;
        const account = yield* freshAccount;
        const draft = draftOf(account, { copy: null, savedAt: 10 });
        yield* records.insert(draft);
        const save = records.change(account, draft.id, (known) => [undefined, { ...known, savedAt: 20 }]);
        yield* besideTransaction(save, records.forget(20, 10_000));
        assert.isTrue(Option.isSome(yield* records.find(account, draft.id)));
      }),
    );
  });
