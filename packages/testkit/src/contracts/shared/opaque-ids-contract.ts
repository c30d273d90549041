import { assert, layer } from "@effect/vitest";
import { AccountId, type IdScope, OpaqueIds } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";
import * as fc from "fast-check";

const account = fc.stringMatching(/^[a-z0-9]{1,20}@[a-z]{1,10}\.test$/).map((text) => AccountId(text));
const number32 = fc.oneof(
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.constantFrom(0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff),
);
const folderId = fc.oneof(fc.constantFrom("inbox", "sent", "trash"), fc.stringMatching(/^f_[a-z2-7]{20}$/));
const place = fc.record({ account, folderId, uidValidity: number32, uid: number32 });
const identity = fc.string({ unit: "binary", maxLength: 60 }).filter((text) => text.isWellFormed());

type Place = typeof place extends fc.Arbitrary<infer A> ? A : never;

const idOf = (ids: OpaqueIds["Service"], { account, folderId, uidValidity, uid }: Place): string =>
  ids.messageIds(account, folderId, uidValidity, [uid])[0]!;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The contract of `OpaqueIds` (spec 4, 5). The given layer has one key. */
export const opaqueIdsContract = <E>(name: string, live: Layer.Layer<OpaqueIds, E>) => {
  /** Checks a property on one node, and on two with the same key. */
  const property = (check: (ids: OpaqueIds["Service"], elsewhere: OpaqueIds["Service"]) => void) => () =>
    Effect.gen(function* () {
      const elsewhere = yield* Effect.provide(OpaqueIds, Layer.fresh(live));
      check(yield* OpaqueIds, elsewhere);
    });

  layer(live)(name, (it) => {
    it.effect(
      "reads an account id on every node with the key, and no altered one [S10.1-1]",
      property((ids, elsewhere) =>
        fc.assert(
          fc.property(account, account, fc.nat(), fc.constantFrom(...ALPHABET), (mine, other, at, letter) => {
            const id = ids.accountId(mine);
            assert.match(id, /^acc_[A-Za-z0-9_-]+$/);
            assert.notInclude(id, mine);
            assert.strictEqual(elsewhere.accountId(mine), id);
            assert.deepStrictEqual(elsewhere.account(id), Option.some(mine));
            if (other !== mine) assert.notStrictEqual(ids.accountId(other), id);
            const position = at % id.length;
            const altered = [
              id.slice(0, position) + letter + id.slice(position + 1),
              id.slice(0, -1),
              `${id}A`,
              id.slice(4),
              "",
              "acc_",
              mine,
            ];
            for (const text of altered) if (text !== id) assert.isTrue(Option.isNone(ids.account(text)), text);
          }),
        ),
      ),
    );

    it.effect(
      "reads a message id on every node with the key [S5.2-7]",
      property((ids, elsewhere) =>
        fc.assert(
          fc.property(place, fc.array(folderId, { maxLength: 5 }), (message, others) => {
            const id = idOf(ids, message);
            assert.match(id, /^[A-Za-z0-9_-]+$/);
            assert.strictEqual(idOf(ids, message), id);
            assert.strictEqual(idOf(elsewhere, message), id);
            const { account: _, ...ref } = message;
            for (const node of [ids, elsewhere]) {
              assert.deepStrictEqual(
                node.messageRef(message.account, id, [...others, message.folderId]),
                Option.some(ref),
              );
            }
          }),
        ),
      ),
    );

    it.effect(
      "returns one message id per UID, in order",
      property((ids) =>
        fc.assert(
          fc.property(place, fc.array(number32, { maxLength: 250 }), ({ account, folderId, uidValidity }, uids) => {
            const made = ids.messageIds(account, folderId, uidValidity, uids);
            const alone = uids.map((uid) => idOf(ids, { account, folderId, uidValidity, uid }));
            assert.deepStrictEqual(made, alone);
            assert.strictEqual(new Set(made).size, new Set(uids).size);
          }),
        ),
      ),
    );

    it.effect(
      "returns different message ids for different accounts, folders, UIDVALIDITYs or UIDs [S10.3-26]",
      property((ids) =>
        fc.assert(
          fc.property(place, place, (message, other) => {
            const id = idOf(ids, message);
            for (const field of ["account", "folderId", "uidValidity", "uid"] as const) {
              if (other[field] === message[field]) continue;
              assert.notStrictEqual(idOf(ids, { ...message, [field]: other[field] }), id, field);
            }
          }),
        ),
      ),
    );

    it.effect(
      "hides UIDs: ids of neighbouring UIDs have nothing in common [S5.2-7]",
      property((ids) => {
        const uids = Array.from({ length: 1000 }, (_, n) => n + 1);
        const made = ids.messageIds(AccountId("me@postern.test"), "inbox", 1, uids);
        assert.isAbove(new Set(made.map((id) => id.slice(0, 8))).size, 990, "beginnings");
        assert.isAbove(new Set(made.map((id) => id.slice(-8))).size, 990, "ends");
      }),
    );

    it.effect(
      "refuses an id of another account [S5.2-8]",
      property((ids) =>
        fc.assert(
          fc.property(place, account, (message, stranger) => {
            fc.pre(stranger !== message.account);
            assert.isTrue(Option.isNone(ids.messageRef(stranger, idOf(ids, message), [message.folderId])));
          }),
        ),
      ),
    );

    it.effect(
      "refuses an id of another generation of the account [S5.2-14]",
      property((ids) =>
        fc.assert(
          fc.property(place, (message) => {
            const { folderId, uidValidity, uid } = message;
            const next = `${message.account}\0next` as IdScope;
            const [id] = ids.messageIds(next, folderId, uidValidity, [uid]);
            assert.deepStrictEqual(ids.messageRef(next, id!, [folderId]), Option.some({ folderId, uidValidity, uid }));
            assert.isTrue(Option.isNone(ids.messageRef(message.account, id!, [folderId])));
            assert.isTrue(Option.isNone(ids.messageRef(next, idOf(ids, message), [folderId])));
          }),
        ),
      ),
    );

    it.effect(
      "refuses an id of a folder that is not among the given ones",
      property((ids) =>
        fc.assert(
          fc.property(place, fc.array(folderId, { maxLength: 8 }), (message, others) => {
            const without = others.filter((id) => id !== message.folderId);
            assert.isTrue(Option.isNone(ids.messageRef(message.account, idOf(ids, message), without)));
          }),
        ),
      ),
    );

    it.effect(
      "refuses an id that was edited, cut or extended",
      property((ids) =>
        fc.assert(
          fc.property(place, fc.nat(), fc.constantFrom(...ALPHABET), (message, at, letter) => {
            const id = idOf(ids, message);
            const position = at % id.length;
            const spoiled = [
              id.slice(0, position) + letter + id.slice(position + 1),
              id.slice(0, position),
              id.slice(position + 1),
              id.slice(0, position) + letter + id.slice(position),
              id + letter,
              `${id}=`,
              `${id}\n`,
              ` ${id}`,
              id.toLowerCase(),
              id.toUpperCase(),
            ].filter((text) => text !== id);
            for (const text of spoiled) {
              assert.isTrue(Option.isNone(ids.messageRef(message.account, text, [message.folderId])), text);
            }
          }),
        ),
      ),
    );

    it.effect(
      "refuses any other spelling of an id",
      property((ids) => {
        const me = AccountId("me@postern.test");
        const id = ids.messageIds(me, "inbox", 1, [7])[0]!;
        for (let position = 0; position < id.length; position++) {
          for (const letter of ALPHABET) {
            const text = id.slice(0, position) + letter + id.slice(position + 1);
            if (text !== id) assert.isTrue(Option.isNone(ids.messageRef(me, text, ["inbox"])), text);
          }
        }
      }),
    );

    it.effect(
      "refuses text that is not an id",
      property((ids) => {
        const length = ids.messageIds(AccountId("me@postern.test"), "inbox", 1, [1])[0]!.length;
        const sameShape = fc
          .array(fc.constantFrom(...ALPHABET), { minLength: length, maxLength: length })
          .map((letters) => letters.join(""));
        fc.assert(
          fc.property(account, fc.oneof(sameShape, fc.string({ unit: "binary" })), (someone, text) => {
            assert.isTrue(Option.isNone(ids.messageRef(someone, text, ["inbox", "sent", "trash"])));
          }),
          { numRuns: 1000 },
        );
      }),
    );

    it.effect(
      "returns the same folder id for the same account and identity, on every node with the key [S4.2-2]",
      property((ids, elsewhere) =>
        fc.assert(
          fc.property(account, identity, (someone, mailbox) => {
            const id = ids.folderId(someone, mailbox);
            assert.match(id, /^f_[a-z0-9_-]+$/);
            assert.strictEqual(ids.folderId(someone, mailbox), id);
            assert.strictEqual(elsewhere.folderId(someone, mailbox), id);
          }),
        ),
      ),
    );

    it.effect(
      "returns different folder ids for different accounts or identities [S4.2-2]",
      property((ids) => {
        const me = AccountId("me@postern.test");
        fc.assert(
          fc.property(account, identity, identity, (someone, mailbox, other) => {
            fc.pre(mailbox !== other);
            assert.notStrictEqual(ids.folderId(someone, mailbox), ids.folderId(someone, other));
            assert.notStrictEqual(ids.folderId(someone, mailbox), ids.folderId(me, mailbox));
          }),
        );
        const many = Array.from({ length: 10_000 }, (_, n) => ids.folderId(me, `1/Folder ${n}`));
        assert.strictEqual(new Set(many).size, many.length);
      }),
    );

    it.effect(
      "keeps account and identity apart",
      property((ids) =>
        assert.notStrictEqual(
          ids.folderId(AccountId("me@postern.te"), "st1/Work"),
          ids.folderId(AccountId("me@postern.test"), "1/Work"),
        ),
      ),
    );
  });
};
