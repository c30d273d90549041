import { assert, layer } from "@effect/vitest";
import { Fingerprints } from "@postern/core/auth";
import { Effect, type Layer, Redacted } from "effect";
import { freshAccount } from "../../fresh-account.ts";

/** What recognising secrets without keeping them promises (spec 3). */
export const fingerprintsContract = (name: string, live: Layer.Layer<Fingerprints, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("knows a token by its SHA-256", () =>
      Effect.gen(function* () {
        const { ofToken } = yield* Fingerprints;
        assert.strictEqual(ofToken("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
        assert.notStrictEqual(ofToken("abd"), ofToken("abc"));
      }),
    );

    it.effect("knows a password of an account again, and takes it for no other's", () =>
      Effect.gen(function* () {
        const { ofPassword, ofToken } = yield* Fingerprints;
        const [mine, theirs] = [yield* freshAccount, yield* freshAccount];
        const mark = ofPassword(mine, Redacted.make("pässwörd"));
        assert.strictEqual(ofPassword(mine, Redacted.make("pässwörd")), mark);
        assert.notStrictEqual(ofPassword(mine, Redacted.make("passwörd")), mark);
        assert.notStrictEqual(ofPassword(theirs, Redacted.make("pässwörd")), mark);
        assert.notInclude(mark, "pässwörd");
        assert.notInclude([ofToken("pässwörd"), ofToken(`${mine}\0pässwörd`), ofToken(`${mine}pässwörd`)], mark);
      }),
    );

    it.effect("tells accounts apart by marks that hold no address", () =>
      Effect.gen(function* () {
        const { ofAccount, ofToken } = yield* Fingerprints;
        const [mine, theirs] = [yield* freshAccount, yield* freshAccount];
        assert.strictEqual(ofAccount(mine), ofAccount(mine));
        assert.notStrictEqual(ofAccount(theirs), ofAccount(mine));
        assert.match(ofAccount(mine), /^[A-Za-z0-9_-]{16}$/);
        assert.notInclude(ofToken(mine), ofAccount(mine));
      }),
    );
  });
