import { CredentialRelease } from "@postern/core/auth";
import { Transaction } from "@postern/core/shared";
import { EventPublisher } from "@postern/core/events";
import { OwnMoves } from "@postern/core/watch";
import { Effect, Layer } from "effect";

/** For suites that do not ask what is told about what they do: events are dropped, credentials kept, and nothing is undone. */
export const noLedger: Layer.Layer<CredentialRelease | EventPublisher | OwnMoves | Transaction> = Layer.mergeAll(
  Layer.succeed(CredentialRelease, { release: () => Effect.void }),
  Layer.succeed(EventPublisher, { publish: () => Effect.void }),
  Layer.succeed(OwnMoves, { expect: () => Effect.void }),
  Layer.succeed(Transaction, { run: (effect) => effect }),
);
