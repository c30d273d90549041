import { Context, type Effect } from "effect";

/** The place of a sealed value, outside of which it cannot be opened. */
export interface RecordPlace {
  readonly table: string;
  readonly account: string;
  readonly column: string;
}

/**
 * Encrypts values that must not be readable in the database (spec 3). An implementation uses authenticated encryption
 * bound to the place, so that values cannot be moved between rows, and opens only text that it sealed. `open` fails if
 * the key is missing or the value was altered or moved; the error's message is logged.
 *
 * `SecretBox` of `@postern/node-crypto` is an implementation: `Layer.effect(RecordCipher, SecretBox)`.
 */
export class RecordCipher extends Context.Service<
  RecordCipher,
  {
    readonly seal: (plain: Uint8Array, place: RecordPlace) => Effect.Effect<string>;
    readonly open: (sealed: string, place: RecordPlace) => Effect.Effect<Uint8Array, Error>;
  }
>()("@postern/sql/RecordCipher") {}
