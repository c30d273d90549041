import { CredentialRelease } from "@postern/core/auth";
import { Transaction } from "@postern/core/shared";
import { EventPublisher } from "@postern/core/events";
import { OwnMoves } from "@postern/core/watch";
import { Effect, Layer } from "effect";

/** Services for suites without a store: drops events, keeps credentials and rolls nothing back. */
export const noLedger: Layer.Layer<CredentialRelease | EventPublisher | OwnMoves | Transaction> = Layer.mergeAll(
  Layer.succeed(CredentialRelease, { release: () => Effect.void }),
  Layer.succeed(EventPublisher, { publish: () => Effect.succeed([]), publishNow: () => Effect.void }),
  Layer.succeed(OwnMoves, { expect: () => Effect.void }),
  Layer.succeed(Transaction, { run: (effect) => effect }),
);
