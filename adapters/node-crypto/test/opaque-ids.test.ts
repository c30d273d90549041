import { assert, describe, it } from "@effect/vitest";
import { AccountId, Entropy, OpaqueIds } from "@postern/core/shared";
import { digestContract, entropyContract, fingerprintsContract, opaqueIdsContract } from "@postern/testkit";
import { Effect, Exit, Layer, Option } from "effect";
import { KeyUnusable, layer } from "../src/index.ts";

const key = (byte: number) => new Uint8Array(32).fill(byte);
const withKey = <A>(byte: number, use: (ids: OpaqueIds["Service"]) => A) =>
  Effect.provide(Effect.map(OpaqueIds, use), layer({ idKey: key(byte) }));

opaqueIdsContract("OpaqueIds (node:crypto)", layer({ idKey: key(7) }));
fingerprintsContract("Fingerprints (node:crypto)", layer({ idKey: key(7) }));
entropyContract("Entropy (node:crypto)", layer({ idKey: key(7) }));
digestContract("Digest (node:crypto)", Layer.orDie(layer({ idKey: key(7) })));

describe("ids of node:crypto", () => {
  const me = AccountId("me@postern.test");

  it.effect("have a fixed form", () =>
    withKey(7, (ids) => {
      assert.match(ids.folderId(me, "1/Work"), /^f_[a-z2-7]{20}$/);
      for (const id of ids.messageIds(me, "inbox", 1, [0, 1, 0xffff_ffff])) assert.match(id, /^[A-Za-z0-9_-]{22}$/);
    }),
  );

  it.effect("never change, because clients keep them", () =>
    withKey(7, (ids) => {
      assert.strictEqual(ids.folderId(me, "1/Work"), "f_3aavgxl6uofmexfgbtio");
      assert.deepStrictEqual(ids.messageIds(me, "inbox", 1_700_000_000, [1, 4_294_967_295]), [
        "9GcGRo53Lh3oPRkrm6szzg",
        "8qPERuVC9gyX4Awwsnns3w",
      ]);
    }),
  );

  it.effect("of another key are not recognized", () =>
    Effect.gen(function* () {
      const [id] = yield* withKey(7, (ids) => ids.messageIds(me, "inbox", 1, [1]));
      const folder = yield* withKey(7, (ids) => ids.folderId(me, "1/Work"));
      yield* withKey(8, (ids) => {
        assert.isTrue(Option.isNone(ids.messageRef(me, id!, ["inbox"])));
        assert.notStrictEqual(ids.folderId(me, "1/Work"), folder);
      });
    }),
  );

  it.effect("stay readable with more accounts and folders than the cache holds", () =>
    withKey(7, (ids) => {
      const [id] = ids.messageIds(me, "f_first", 1, [1]);
      for (let n = 0; n < 10_100; n++) ids.messageIds(AccountId(`${n}@postern.test`), `f_${n}`, 1, [1]);
      const many = Array.from({ length: 20_100 }, (_, n) => `f_${n}`);
      assert.deepStrictEqual(
        ids.messageRef(me, id!, [...many, "f_first"]),
        Option.some({ folderId: "f_first", uidValidity: 1, uid: 1 }),
      );
    }),
  );

  it.effect.each([-1, 0x1_0000_0000])("refuse the UID %d, which no mailbox has", (uid) =>
    withKey(7, (ids) => assert.throws(() => ids.messageIds(me, "inbox", 1, [uid]), RangeError)),
  );

  it.effect.each([0, 16, 31, 33, 64])("require a key of 32 bytes, not %d", (length) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(Effect.provide(OpaqueIds, layer({ idKey: new Uint8Array(length) })));
      assert.instanceOf(refused, KeyUnusable);
      assert.strictEqual(refused.message, `idKey: has ${length} bytes, must have 32`);
    }),
  );

  it.effect("die if the bits are not whole bytes", () =>
    Effect.gen(function* () {
      const entropy = yield* Entropy;
      assert.isTrue(Exit.isFailure(yield* Effect.exit(entropy.id(12))));
    }).pipe(Effect.provide(layer({ idKey: key(7) }))),
  );
});
