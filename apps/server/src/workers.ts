import { OutgoingWorker } from "@postern/core/send";
import { WebhookDispatcher } from "@postern/core/webhooks";
import { Duration, Effect, Layer } from "effect";
import { Stopping } from "./Stopping.ts";

/** The longest a POST may take to its end once the service stops; what does not is sent by another, or later. */
const DELIVERIES = Duration.seconds(16);
/** The same for messages: a client may have waited for the attempt until it was answered that it is queued. */
const MESSAGES = Duration.seconds(18);

/**
 * Brings events to endpoints for as long as the service runs (decisions 8). Told to stop, this worker and the one that
 * sends messages claim nothing more; what they have under way ends beside the requests that are answered meanwhile.
 */
export const Workers = Layer.effectDiscard(
  Effect.gen(function* () {
    const stopping = yield* Stopping;
    const dispatcher = yield* WebhookDispatcher;
    const outgoing = yield* OutgoingWorker;
    const delivered = yield* Effect.cached(dispatcher.drain(DELIVERIES));
    yield* Effect.forkScoped(dispatcher.run);
    yield* Effect.forkScoped(Effect.andThen(stopping.begins, Effect.andThen(outgoing.stop, delivered)));
    yield* Effect.addFinalizer(() =>
      Effect.all([delivered, Effect.flatMap(stopping.left(MESSAGES), outgoing.drain)], { concurrency: "unbounded" }),
    );
  }),
);
