import { assert, layer } from "@effect/vitest";
import { type Contact, ContactRecords } from "@postern/core/send";
import type { Transaction } from "@postern/core/shared";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { besideTransaction } from "../beside-transaction.ts";

const contactOf = (account: Contact["account"], name: string, address: string, lastWrittenAt: number): Contact => ({
  id: `con_${globalThis.crypto.randomUUID()}`,
  account,
  name,
  address,
  lastWrittenAt,
  forgottenAt: null,
});

const placeOf = ({ lastWrittenAt, id }: Contact) => ({ at: lastWrittenAt, id });

/** The contract of `ContactRecords` (spec 12.5). */
export const contactRecordsContract = (name: string, live: Layer.Layer<ContactRecords | Transaction, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("finds contacts by parts of their names and addresses, most recently written to first", () =>
      Effect.gen(function* () {
        const records = yield* ContactRecords;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const zelda = contactOf(account, "Zelda Färrow", "z@far.test", 1);
        const ann = contactOf(account, "", "Ann_B@y.test", 3);
        const bob = contactOf(account, "Bob 100%", "bob@far.test", 2);
        yield* records.save([zelda, ann, bob, contactOf(other, "Zelda", "z@far.test", 9)]);
        assert.deepStrictEqual(yield* records.search(account, "", undefined, 10), [ann, bob, zelda]);
        assert.deepStrictEqual(yield* records.search(account, "", undefined, 1), [ann]);
        assert.deepStrictEqual(yield* records.search(account, "", placeOf(ann), 1), [bob]);
        assert.deepStrictEqual(yield* records.search(account, "far", placeOf(bob), 9), [zelda]);
        const same = { ...contactOf(account, "Same", "s@far.test", 2), id: `${bob.id}a` };
        yield* records.save([same]);
        assert.deepStrictEqual(yield* records.search(account, "", placeOf(ann), 9), [bob, same, zelda]);
        assert.deepStrictEqual(yield* records.search(account, "", placeOf(bob), 9), [same, zelda]);
        yield* records.forget(account, same.id, 9);
        for (const [text, found] of [
          ["FÄRR", [zelda]],
          ["far.TEST", [bob, zelda]],
          ["n_b", [ann]],
          ["0%", [bob]],
          ["b%f", []],
          ["\\", []],
        ] as const) {
          assert.deepStrictEqual(yield* records.search(account, text, undefined, 10), [...found], text);
        }
      }),
    );

    it.effect("replaces a contact by its address in any spelling, which keeps its id", () =>
      Effect.gen(function* () {
        const records = yield* ContactRecords;
        const account = yield* freshAccount;
        const first = contactOf(account, "", "A@x.test", 1);
        yield* records.save([first]);
        const next = contactOf(account, "Ann", "a@x.test", 2);
        yield* records.save([next]);
        assert.deepStrictEqual(yield* records.find(account, ["a@x.test", "b@x.test"]), [{ ...next, id: first.id }]);
        yield* records.save([]);
        assert.deepStrictEqual(yield* records.find(account, []), []);
      }),
    );

    it.effect("marks a contact as forgotten once, and keeps it", () =>
      Effect.gen(function* () {
        const records = yield* ContactRecords;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const contact = contactOf(account, "Ann", "a@x.test", 1);
        yield* records.save([contact]);
        assert.isFalse(yield* records.forget(other, contact.id, 5));
        assert.isTrue(yield* records.forget(account, contact.id, 5));
        assert.isFalse(yield* records.forget(account, contact.id, 6));
        assert.isFalse(yield* records.forget(account, "a\0", 6));
        assert.deepStrictEqual(yield* records.search(account, "", undefined, 10), []);
        assert.deepStrictEqual(yield* records.find(account, ["a@x.test"]), [{ ...contact, forgottenAt: 5 }]);
      }),
    );

    it.effect("forgets a contact only after a transaction that found it, and finds it after one that forgets it", () =>
      Effect.gen(function* () {
        const records = yield* ContactRecords;
        const account = yield* freshAccount;
        const contacts = ["a@x.test", "b@x.test"].map((address) => contactOf(account, "", address, 1));
        yield* records.save(contacts);
        const find = records.find(account, ["b@x.test", "a@x.test"]);
        const [a, b] = contacts.map(({ id }, n) => records.forget(account, id, n + 5));
        const found = yield* besideTransaction(find, a!);
        assert.deepStrictEqual([found.hasWaited, found.results[1]], [true, true]);
        const forgotten = yield* besideTransaction(b!, find);
        assert.isTrue(forgotten.hasWaited);
        assert.sameMembers(
          forgotten.results[1].map(({ forgottenAt }) => forgottenAt),
          [5, 6],
        );
      }),
    );

    it.effect("stores how far Sent is read, and erases everything of an account", () =>
      Effect.gen(function* () {
        const records = yield* ContactRecords;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        assert.deepStrictEqual(yield* records.findScan(account), Option.none());
        yield* records.saveScan(account, { uidValidity: 1, from: 501, below: 901 });
        yield* records.saveScan(account, { uidValidity: 4_294_967_295, from: 1, below: 902 });
        yield* records.saveScan(other, { uidValidity: 1, from: 1, below: 2 });
        assert.deepStrictEqual(
          yield* records.findScan(account),
          Option.some({ uidValidity: 4_294_967_295, from: 1, below: 902 }),
        );
        yield* records.save([contactOf(account, "", "a@x.test", 1), contactOf(other, "", "a@x.test", 1)]);
        yield* records.erase(account);
        assert.deepStrictEqual(yield* records.findScan(account), Option.none());
        assert.deepStrictEqual(yield* records.search(account, "", undefined, 10), []);
        assert.lengthOf(yield* records.search(other, "", undefined, 10), 1);
        assert.isTrue(Option.isSome(yield* records.findScan(other)));
      }),
    );
  });
