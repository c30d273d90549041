import { assert, layer } from "@effect/vitest";
import { type Approval, ApprovalRecords } from "@postern/core/drafts";
import type { AccountId } from "@postern/core/shared";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

const approvalOf = (account: AccountId, changes: Partial<Approval> = {}): Approval => ({
  id: `apr_${uuid()}`,
  account,
  draftId: `dft_${uuid()}`,
  version: 3,
  state: "pending",
  by: { kind: "key", id: uuid(), name: "Ünal's assistant", application: "helper" },
  recipients: [{ address: "b@y.test", known: true }],
  subject: "s",
  preview: "t",
  files: [{ name: "a.txt", type: "text/plain", size: 3 }],
  hash: "h",
  createdAt: 1_000,
  expiresAt: 1e13,
  decidedAt: null,
  reason: null,
  ...changes,
});

/** The contract of `ApprovalRecords` (spec 13.2). */
export const approvalRecordsContract = <E>(name: string, store: Layer.Layer<ApprovalRecords, E>): void =>
  layer(store, { excludeTestServices: true })(name, (it) => {
    it.effect("finds an approval of its account only, and keeps its change", () =>
      Effect.gen(function* () {
        const records = yield* ApprovalRecords;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const asked = approvalOf(account);
        const denied: Approval = { ...asked, state: "denied", decidedAt: 2_000, reason: "not to them" };
        yield* records.insert(asked);
        assert.deepStrictEqual(yield* records.find(account, asked.id), Option.some(asked));
        assert.deepStrictEqual(yield* records.find(other, asked.id), Option.none());
        assert.deepStrictEqual(yield* records.change(other, asked.id, () => [1, denied]), Option.none());
        assert.deepStrictEqual(
          yield* records.change(account, asked.id, (known) => [known, denied]),
          Option.some(asked),
        );
        assert.deepStrictEqual(yield* records.find(account, asked.id), Option.some(denied));
        assert.deepStrictEqual(yield* records.change(account, "apr_none", () => [1, denied]), Option.none());
      }),
    );

    it.effect("decides on the result of a concurrent change", () =>
      Effect.gen(function* () {
        const records = yield* ApprovalRecords;
        const account = yield* freshAccount;
        const asked = approvalOf(account);
        yield* records.insert(asked);
        const approve = records.change(account, asked.id, (known) => [
          known.state,
          known.state === "pending" ? { ...known, state: "approved" } : known,
        ]);
        const states = yield* Effect.all([approve, approve, approve], { concurrency: 3 });
        assert.sameMembers(states.map(Option.getOrNull), ["approved", "approved", "pending"]);
      }),
    );

    it.effect("lists approvals newest first, after a location and in one state", () =>
      Effect.gen(function* () {
        const records = yield* ApprovalRecords;
        const account = yield* freshAccount;
        const made = [30, 20, 20, 10].map((createdAt, n) =>
          approvalOf(account, { createdAt, id: `apr_${9 - n}${uuid()}`, state: n === 1 ? "expired" : "pending" }),
        );
        for (const one of made.toReversed()) yield* records.insert(one);
        yield* records.insert(approvalOf(yield* freshAccount));
        assert.deepStrictEqual(yield* records.list(account, undefined, undefined, 10), made);
        assert.deepStrictEqual(yield* records.list(account, undefined, undefined, 2), made.slice(0, 2));
        assert.deepStrictEqual(yield* records.list(account, "expired", undefined, 10), made.slice(1, 2));
        for (const [n, { createdAt, id }] of made.entries()) {
          assert.deepStrictEqual(yield* records.list(account, undefined, { at: createdAt, id }, 10), made.slice(n + 1));
        }
      }),
    );

    it.effect("returns the pending ones of a draft and of a requester, and those that expire, oldest first", () =>
      Effect.gen(function* () {
        const records = yield* ApprovalRecords;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const first = approvalOf(account, { expiresAt: -20, createdAt: 1 });
        const second = approvalOf(account, { draftId: first.draftId, by: first.by, createdAt: 2, expiresAt: -10 });
        const decided = approvalOf(account, { draftId: first.draftId, by: first.by, state: "denied", expiresAt: -30 });
        const elsewhere = approvalOf(other, { draftId: first.draftId });
        for (const one of [second, decided, elsewhere, first]) yield* records.insert(one);
        const ofDraft = { account, draft: first.draftId };
        assert.deepStrictEqual(yield* records.pending(ofDraft, 10), [first, second]);
        assert.deepStrictEqual(yield* records.pending(ofDraft, 1), [first]);
        assert.deepStrictEqual(yield* records.pending({ requester: first.by.id }, 10), [first, second]);
        assert.deepStrictEqual(yield* records.pending({ expiresBy: -10 }, 10), [first, second]);
        assert.deepStrictEqual(yield* records.pending({ expiresBy: -11 }, 10), [first]);
        assert.isFalse(yield* records.erase(account, 10));
      }),
    );

    it.effect("deletes approvals decided before a time, and erases an account in slices", () =>
      Effect.gen(function* () {
        const records = yield* ApprovalRecords;
        const account = yield* freshAccount;
        const pending = approvalOf(account, { createdAt: -30 });
        for (const createdAt of [-30, -20, -11])
          yield* records.insert(approvalOf(account, { createdAt, state: "stale" }));
        const kept = approvalOf(account, { createdAt: -10, state: "approved" });
        for (const one of [pending, kept]) yield* records.insert(one);
        assert.strictEqual(yield* records.forget(-10, 2), 2);
        assert.strictEqual(yield* records.forget(-10, 2), 1);
        assert.strictEqual(yield* records.forget(-10, 2), 0);
        assert.deepStrictEqual(yield* records.list(account, undefined, undefined, 10), [kept, pending]);
        while (yield* records.erase(account, 1)) yield* Effect.yieldNow;
        assert.deepStrictEqual(yield* records.list(account, undefined, undefined, 10), []);
      }),
    );
  });
