import { Context, Effect } from "effect";

/** The place of a sealed value. The value can be opened only for the same place. */
export interface RecordPlace {
  readonly table: string;
  readonly account: string;
  readonly column: string;
}

/**
 * Encrypts values that must not be readable in the database (spec 3). An implementation uses authenticated encryption
 * bound to the place, so that values cannot be moved between rows, and opens only text sealed by itself. `open` fails
 * if the key is missing or the value was altered or moved; the error's message is logged.
 *
 * `SecretBox` of `@postern/node-crypto` is an implementation: `Layer.effect(RecordCipher, SecretBox)`.
 */
export class RecordCipher extends Context.Service<
  RecordCipher,
  {
    readonly seal: (plain: Uint8Array, place: RecordPlace) => Effect.Effect<string>;
    readonly open: (sealed: string, place: RecordPlace) => Effect.Effect<Uint8Array, Error>;
    /** Returns the name of the key that sealed a value; fails if the text is not a sealed value. */
    readonly kidOf: (sealed: string) => Effect.Effect<string, Error>;
    /** The names of the keys that `open` has. */
    readonly kids: ReadonlyArray<string>;
  }
>()("@postern/sql/RecordCipher") {}

/** Returns the name of the key that a sealed value needs if this process lacks it, otherwise undefined. */
export const missingKeyOf = (cipher: RecordCipher["Service"], sealed: string): Effect.Effect<string | undefined> =>
  cipher.kidOf(sealed).pipe(
    Effect.map((kid) => (cipher.kids.includes(kid) ? undefined : kid)),
    Effect.orElseSucceed(() => undefined),
  );
