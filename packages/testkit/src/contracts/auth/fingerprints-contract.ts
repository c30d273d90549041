import { assert, layer } from "@effect/vitest";
import { Fingerprints } from "@postern/core/auth";
import { Effect, type Layer, Redacted } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

/** The contract of `Fingerprints` (spec 3). */
export const fingerprintsContract = (name: string, live: Layer.Layer<Fingerprints, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("returns the SHA-256 of a token", () =>
      Effect.gen(function* () {
        const { ofToken } = yield* Fingerprints;
        assert.strictEqual(ofToken("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
        assert.notStrictEqual(ofToken("abd"), ofToken("abc"));
      }),
    );

    it.effect("returns the same hash for the same account and password only", () =>
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

    it.effect("identifies accounts by hashes without their address", () =>
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
