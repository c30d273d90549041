import { createCipheriv, createSecretKey, randomBytes } from "node:crypto";
import { assert, describe, it } from "@effect/vitest";
import { Effect, Option } from "effect";
import * as fc from "fast-check";
import { aeadOpen, aeadSeal } from "../src/aead.ts";
import { KeyUnusable, SecretBox, type SecretContext, SecretUnreadable } from "../src/index.ts";

const key = (kid: string, byte: number) => ({ kid, key: new Uint8Array(32).fill(byte) });
const OLD = key("2024", 1);
const NEW = key("2025", 2);

const HERE: SecretContext = { table: "account", account: "me@postern.test", column: "password" };
const SECRET = new TextEncoder().encode("correct horse battery staple");

const boxWith = (...keys: ReadonlyArray<ReturnType<typeof key>>) =>
  Effect.provide(SecretBox, SecretBox.layer({ keys }));

const reasonOf = (attempt: Effect.Effect<unknown, SecretUnreadable>): string =>
  Effect.runSync(Effect.flip(attempt)).reason;

const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const account = fc.oneof(
  fc.constantFrom("me@postern.test", "me|password@postern.test", "|", "a|b", ""),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);
const context: fc.Arbitrary<SecretContext> = fc.record({ table: name, account, column: name });

describe("SecretBox", () => {
  it.effect("opens what it sealed in the same place", () =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW);
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), context, (plain, place) => {
          const sealed = Effect.runSync(box.seal(plain, place));
          assert.deepStrictEqual([...Effect.runSync(box.open(sealed, place))], [...plain]);
          assert.match(sealed, /^v1\.2025\.[A-Za-z0-9_-]{80}\.[A-Za-z0-9_-]{38,}$/);
        }),
      );
    }),
  );

  it.effect("seals differently each time and does not reveal the secret", () =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW);
      const sealed = yield* Effect.forEach(Array.from({ length: 200 }), () => box.seal(SECRET, HERE));
      const parts = sealed.flatMap((text) => text.split(".").slice(2));
      assert.strictEqual(new Set(parts).size, 400);
      for (const part of parts) {
        assert.notInclude(Buffer.from(part, "base64url").toString("latin1"), "horse");
        assert.notInclude(part, Buffer.from(SECRET).toString("base64url").slice(0, 8));
      }
    }),
  );

  it.effect("does not open a secret in another place", () =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW, OLD);
      fc.assert(
        fc.property(context, context, (place, other) => {
          const sealed = Effect.runSync(box.seal(SECRET, place));
          for (const field of ["table", "account", "column"] as const) {
            if (place[field] === other[field]) continue;
            const elsewhere = { ...place, [field]: other[field] };
            assert.strictEqual(reasonOf(box.open(sealed, elsewhere)), "mismatch", field);
          }
        }),
      );
    }),
  );

  it.effect("distinguishes contexts whose concatenations are equal", () =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW);
      const sealed = yield* box.seal(SECRET, { table: "t", account: "a|b", column: "c" });
      for (const account of ["a", "b", "a|b|c", "t|a|b", "a|", "|b"]) {
        assert.strictEqual(reasonOf(box.open(sealed, { table: "t", account, column: "c" })), "mismatch");
        assert.strictEqual(reasonOf(box.open(sealed, { table: "t", account, column: "b" })), "mismatch");
      }
    }),
  );

  it.effect("does not open a secret with one bit changed", () =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW, OLD);
      const sealed = yield* box.seal(SECRET, HERE);
      const bytes = Buffer.from(sealed, "latin1");
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        const error = yield* Effect.flip(box.open(changed.toString("latin1"), HERE));
        assert.instanceOf(error, SecretUnreadable);
      }
      const [, , wrapped, payload] = sealed.split(".");
      for (const part of [wrapped!, payload!]) {
        const raw = Buffer.from(part, "base64url");
        for (let bit = 0; bit < raw.length * 8; bit++) {
          const changed = Buffer.from(raw);
          changed[bit >> 3]! ^= 1 << (bit & 7);
          assert.strictEqual(reasonOf(box.open(sealed.replace(part, changed.toString("base64url")), HERE)), "mismatch");
        }
      }
    }),
  );

  it.effect("does not open a secret that was truncated, extended or combined from two", () =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW, OLD);
      const sealed = yield* box.seal(SECRET, HERE);
      const other = yield* box.seal(SECRET, HERE);
      for (let length = 0; length < sealed.length; length++) {
        yield* Effect.flip(box.open(sealed.slice(0, length), HERE));
      }
      for (const tail of ["A", "=", "\n", ".", ".AAAA"]) yield* Effect.flip(box.open(sealed + tail, HERE));
      const [version, kid, wrapped] = sealed.split(".");
      const mixed = [version, kid, wrapped, other.split(".")[3]].join(".");
      assert.strictEqual(reasonOf(box.open(mixed, HERE)), "mismatch");
    }),
  );

  it.effect("does not open a secret under the name of another known key", () =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW, OLD);
      const sealed = yield* box.seal(SECRET, HERE);
      assert.strictEqual(reasonOf(box.open(sealed.replace("v1.2025.", "v1.2024."), HERE)), "mismatch");
      const twins = yield* boxWith(key("a", 5), key("b", 5));
      const renamed = (yield* twins.seal(SECRET, HERE)).replace("v1.a.", "v1.b.");
      assert.strictEqual(reasonOf(twins.open(renamed, HERE)), "mismatch", "even if the keys are the same");
    }),
  );

  it.effect.each([
    "",
    "correct horse battery staple",
    "v1",
    "v1.2025",
    "v1.2025..",
    "v1.2025.AAAA.AAAA",
    "v2.2025.A.A",
  ])("never hands back %j as if it were a secret", (text) =>
    Effect.gen(function* () {
      const box = yield* boxWith(NEW);
      for (const attempt of [box.open(text, HERE), box.rewrap(text, HERE), box.kidOf(text)]) {
        assert.strictEqual(reasonOf(attempt), "format");
      }
    }),
  );

  it.effect("names the missing key", () =>
    Effect.gen(function* () {
      const sealed = yield* (yield* boxWith(OLD)).seal(SECRET, HERE);
      const box = yield* boxWith(NEW);
      const attempts: ReadonlyArray<Effect.Effect<unknown, SecretUnreadable>> = [
        box.open(sealed, HERE),
        box.rewrap(sealed, HERE),
      ];
      for (const attempt of attempts) {
        const error = yield* Effect.flip(attempt);
        assert.deepInclude(error, { reason: "unknown_key", kid: "2024" });
      }
      assert.strictEqual(yield* box.kidOf(sealed), "2024");
    }),
  );

  it.effect("rewraps to the active key without changing the payload or needing the old key again", () =>
    Effect.gen(function* () {
      const sealed = yield* (yield* boxWith(OLD)).seal(SECRET, HERE);
      const both = yield* boxWith(NEW, OLD);
      assert.deepStrictEqual([...(yield* both.open(sealed, HERE))], [...SECRET]);
      const rewrapped = yield* both.rewrap(sealed, HERE);
      assert.strictEqual(yield* both.kidOf(rewrapped), both.activeKid);
      assert.strictEqual(rewrapped.split(".")[3], sealed.split(".")[3]);
      assert.strictEqual(yield* both.rewrap(rewrapped, HERE), rewrapped, "a second time changes nothing");
      const after = yield* boxWith(NEW);
      assert.deepStrictEqual([...(yield* after.open(rewrapped, HERE))], [...SECRET]);
      assert.strictEqual(reasonOf((yield* boxWith(OLD)).open(rewrapped, HERE)), "unknown_key");
    }),
  );

  it.effect("does not rewrap into another place", () =>
    Effect.gen(function* () {
      const sealed = yield* (yield* boxWith(OLD)).seal(SECRET, HERE);
      const both = yield* boxWith(NEW, OLD);
      assert.strictEqual(reasonOf(both.rewrap(sealed, { ...HERE, account: "evil@postern.test" })), "mismatch");
    }),
  );

  it.effect.each([
    { keys: [], problem: "key 1: is missing" },
    { keys: [NEW, { kid: "short", key: new Uint8Array(31) }], problem: "key 2: (short) has 31 bytes, must have 32" },
    { keys: [NEW, OLD, key("2025", 9)], problem: "key 3: its name 2025 was given before" },
    { keys: [key("a.b", 1)], problem: "key 1: its name is not 1 to 64 letters, digits, - or _" },
    { keys: [key("a|b", 1)], problem: "key 1: its name is not 1 to 64 letters, digits, - or _" },
    { keys: [key("", 1)], problem: "key 1: its name is not 1 to 64 letters, digits, - or _" },
  ])("refuses a list of keys: $problem", ({ keys, problem }) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(boxWith(...keys));
      assert.instanceOf(refused, KeyUnusable);
      assert.strictEqual(refused.message, problem);
    }),
  );
});

describe("AES-256-GCM", () => {
  const gcmKey = createSecretKey(new Uint8Array(32).fill(3));

  it("refuses tags shorter than 16 bytes, though Node would accept them", () => {
    for (const authTagLength of [4, 8, 12, 13, 14, 15]) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", gcmKey, iv, { authTagLength }).setAAD(Buffer.from("place"));
      const text = Buffer.concat([cipher.update(SECRET), cipher.final()]);
      const sealed = Buffer.concat([iv, text, cipher.getAuthTag()]);
      assert.isTrue(Option.isNone(aeadOpen(gcmKey, "place", sealed)), `${authTagLength}`);
      assert.isTrue(Option.isNone(aeadOpen(gcmKey, "place", Buffer.concat([iv, cipher.getAuthTag()]))));
    }
  });

  it("opens what it sealed, also an empty text", () => {
    const sealed = aeadSeal(gcmKey, "place", new Uint8Array());
    assert.strictEqual(sealed.length, 28);
    assert.deepStrictEqual(
      Option.map(aeadOpen(gcmKey, "place", sealed), (plain) => plain.length),
      Option.some(0),
    );
    assert.isTrue(Option.isNone(aeadOpen(gcmKey, "elsewhere", sealed)));
  });
});
