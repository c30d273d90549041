import { createSecretKey, randomBytes } from "node:crypto";
import { Context, Effect, Layer, Option } from "effect";
import { aeadOpen, aeadSeal } from "./aead.ts";
import { type KeyUnusable, SecretUnreadable } from "./errors.ts";
import { makeKeyRing, type SealingKey } from "./key-ring.ts";
import { DATA_KEY_BYTES, formatSealed, parseSealed, type SealedText } from "./sealed-text.ts";

/** The place of a secret: the secret can be opened only for the same place. Table and column consist of letters, digits and `_`. */
export interface SecretContext {
  readonly table: string;
  readonly account: string;
  readonly column: string;
}

/**
 * Encrypts secrets for the database, each under a random key, which the active key wraps (spec 3).
 *
 *     v1.<kid>.<wrapped key>.<payload>      the last two base64url: IV 12 | cipher text | tag 16, AES-256-GCM
 *     associated with the wrapped key       v1|table|account|column|kid
 *     associated with the payload           v1|table|account|column
 *
 * Therefore a value, or a part of a value, does not open in another table, account or column or under another kid. The
 * payload is not bound to the kid, so `rewrap` replaces only the wrapped key. If an attacker replaces a value by an
 * older value of the same place, the replacement is not detected. No failure returns the stored text as the secret.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly seal: (plain: Uint8Array, context: SecretContext) => Effect.Effect<string>;
    readonly open: (sealed: string, context: SecretContext) => Effect.Effect<Uint8Array, SecretUnreadable>;
    /**
     * Returns the same secret sealed under the active key, without decrypting the secret; unchanged if it is already
     * sealed under the active key.
     */
    readonly rewrap: (sealed: string, context: SecretContext) => Effect.Effect<string, SecretUnreadable>;
    /** Returns the name of the key under which a secret is sealed. */
    readonly kidOf: (sealed: string) => Effect.Effect<string, SecretUnreadable>;
    /** The name of the active key. */
    readonly activeKid: string;
    /** The names of all keys. */
    readonly kids: ReadonlyArray<string>;
  }
>()("@postern/node-crypto/SecretBox") {
  /** The first key seals; all keys open. */
  static readonly layer = (options: {
    readonly keys: ReadonlyArray<SealingKey>;
  }): Layer.Layer<SecretBox, KeyUnusable> =>
    Layer.effect(
      SecretBox,
      Effect.gen(function* () {
        const { active, byKid } = yield* makeKeyRing(options.keys);

        const wrap = (dataKey: Uint8Array, place: string): Buffer =>
          aeadSeal(active.key, `${place}|${active.kid}`, dataKey);

        const unwrap = Effect.fnUntraced(function* ({ kid, wrappedKey }: SealedText, place: string) {
          const key = byKid.get(kid);
          if (key === undefined) return yield* new SecretUnreadable({ reason: "unknown_key", kid });
          return yield* requireMatch(aeadOpen(key, `${place}|${kid}`, wrappedKey), kid);
        });

        const seal = Effect.fn("SecretBox.seal")(function* (plain: Uint8Array, context: SecretContext) {
          const place = yield* placeOf(context);
          const dataKey = randomBytes(DATA_KEY_BYTES);
          const payload = aeadSeal(createSecretKey(dataKey), place, plain);
          const wrappedKey = wrap(dataKey, place);
          dataKey.fill(0);
          return formatSealed({ kid: active.kid, wrappedKey, payload });
        });

        const open = Effect.fn("SecretBox.open")(function* (sealed: string, context: SecretContext) {
          const place = yield* placeOf(context);
          const parts = yield* parse(sealed);
          const dataKey = yield* unwrap(parts, place);
          const plain = aeadOpen(createSecretKey(dataKey), place, parts.payload);
          dataKey.fill(0);
          return yield* requireMatch(plain, parts.kid);
        });

        const rewrap = Effect.fn("SecretBox.rewrap")(function* (sealed: string, context: SecretContext) {
          const place = yield* placeOf(context);
          const parts = yield* parse(sealed);
          if (parts.kid === active.kid) return sealed;
          const dataKey = yield* unwrap(parts, place);
          const wrappedKey = wrap(dataKey, place);
          dataKey.fill(0);
          return formatSealed({ kid: active.kid, wrappedKey, payload: parts.payload });
        });

        const kidOf = (sealed: string) => Effect.map(parse(sealed), ({ kid }) => kid);

        return SecretBox.of({ seal, open, rewrap, kidOf, activeKid: active.kid, kids: [...byKid.keys()] });
      }),
    );
}

const NAME = /^[A-Za-z0-9_]+$/;

/**
 * Only the account can contain a bar. The bar is between names that cannot contain it, so two contexts never have the
 * same text.
 */
const placeOf = ({ table, account, column }: SecretContext): Effect.Effect<string> =>
  NAME.test(table) && NAME.test(column) && account.isWellFormed()
    ? Effect.succeed(`v1|${table}|${account}|${column}`)
    : Effect.die(new RangeError("a secret's table and column are letters, digits and _, its account is Unicode"));

const parse = (sealed: string): Effect.Effect<SealedText, SecretUnreadable> =>
  Option.match(parseSealed(sealed), {
    onNone: () => Effect.fail(new SecretUnreadable({ reason: "format", kid: null })),
    onSome: Effect.succeed,
  });

const requireMatch = (opened: Option.Option<Buffer>, kid: string): Effect.Effect<Buffer, SecretUnreadable> =>
  Option.match(opened, {
    onNone: () => Effect.fail(new SecretUnreadable({ reason: "mismatch", kid })),
    onSome: Effect.succeed,
  });
