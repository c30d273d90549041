import { Context, type Effect } from "effect";

/** Generates random ids for sessions, tokens and messages. */
export class Entropy extends Context.Service<
  Entropy,
  {
    /** Returns `bits` random bits (a multiple of 8) as base64url without padding. */
    readonly id: (bits: number) => Effect.Effect<string>;
  }
>()("@postern/core/shared/ports/Entropy") {}
