import { assert, layer } from "@effect/vitest";
import { type IdentityRecord, IdentityRecords } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

const identityOf = (account: IdentityRecord["account"], address: string, createdAt: number): IdentityRecord => ({
  id: `idn_${uuid()}`,
  account,
  name: "Ünal",
  address,
  replyTo: null,
  signatureText: "--",
  signatureHtml: "<p>--</p>",
  isDefault: false,
  createdAt,
  verification: { hash: uuid(), until: 1_900_000_000_123 },
});

/** The contract of `IdentityRecords` (spec 12.2). */
export const identityRecordsContract = (name: string, live: Layer.Layer<IdentityRecords, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("stores the identities of an account, oldest first", () =>
      Effect.gen(function* () {
        const records = yield* IdentityRecords;
        const account = yield* freshAccount;
        const [late, early] = [identityOf(account, "b@x.test", 2), identityOf(account, "A@x.test", 1)];
        for (const record of [late, early, identityOf(yield* freshAccount, "c@x.test", 0)]) {
          assert.isTrue(yield* records.insert(record));
        }
        assert.deepStrictEqual(yield* records.list(account), [early, late]);
        const changed = { ...late, name: "", replyTo: "r@x.test", isDefault: true };
        yield* records.update(changed);
        assert.deepStrictEqual(yield* records.list(account), [early, changed]);
      }),
    );

    it.effect("refuses a second identity with an address of the account, in any spelling", () =>
      Effect.gen(function* () {
        const records = yield* IdentityRecords;
        const account = yield* freshAccount;
        assert.isTrue(yield* records.insert(identityOf(account, "Sales@x.test", 1)));
        assert.isFalse(yield* records.insert(identityOf(account, "sales@X.test", 2)));
        assert.isTrue(yield* records.insert(identityOf(yield* freshAccount, "sales@x.test", 2)));
        assert.lengthOf(yield* records.list(account), 1);
      }),
    );

    it.effect("finds an identity by the hash of its link until it is verified [S12.2-9]", () =>
      Effect.gen(function* () {
        const records = yield* IdentityRecords;
        const record = identityOf(yield* freshAccount, "a@x.test", 1);
        const hash = record.verification!.hash;
        yield* records.insert(record);
        assert.deepStrictEqual(yield* records.ofVerification(hash), Option.some(record));
        yield* records.update({ ...record, verification: null });
        assert.deepStrictEqual(yield* records.ofVerification(hash), Option.none());
      }),
    );

    it.effect("deletes an identity of the account only, and erases all of it", () =>
      Effect.gen(function* () {
        const records = yield* IdentityRecords;
        const account = yield* freshAccount;
        const [one, other] = [identityOf(account, "a@x.test", 1), identityOf(account, "b@x.test", 2)];
        for (const record of [one, other]) yield* records.insert(record);
        assert.isFalse(yield* records.remove(yield* freshAccount, one.id));
        for (const id of ["", "\0", "unknown"]) assert.isFalse(yield* records.remove(account, id));
        assert.isTrue(yield* records.remove(account, one.id));
        assert.deepStrictEqual(yield* records.list(account), [other]);
        yield* records.erase(account);
        assert.deepStrictEqual(yield* records.list(account), []);
      }),
    );
  });
