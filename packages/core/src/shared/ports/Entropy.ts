import { Context, type Effect } from "effect";

/** Unpredictable names for sessions, tokens and messages. */
export class Entropy extends Context.Service<
  Entropy,
  {
    /** `bits` (a multiple of 8) of randomness as base64url without padding. */
    readonly id: (bits: number) => Effect.Effect<string>;
  }
>()("@postern/core/shared/ports/Entropy") {}
