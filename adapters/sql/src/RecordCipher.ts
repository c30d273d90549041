import { Context, type Effect } from "effect";

/** Where a sealed value is kept; it must open nowhere else. */
export interface RecordPlace {
  readonly table: string;
  readonly account: string;
  readonly column: string;
}

/**
 * Seals what must not be read in the database (spec 3). What an implementation owes: authenticated encryption
 * bound to the place, so that rows cannot be exchanged, and no text that it did not seal is ever opened. `open` fails
 * where the key is missing or the value was altered or moved; the error's message goes to the log.
 *
 * `SecretBox` of `@postern/node-crypto` is one: `Layer.effect(RecordCipher, SecretBox)`.
 */
export class RecordCipher extends Context.Service<
  RecordCipher,
  {
    readonly seal: (plain: Uint8Array, place: RecordPlace) => Effect.Effect<string>;
    readonly open: (sealed: string, place: RecordPlace) => Effect.Effect<Uint8Array, Error>;
  }
>()("@postern/sql/RecordCipher") {}
