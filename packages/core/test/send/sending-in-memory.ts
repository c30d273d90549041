import { Effect, Layer, Option, Scope } from "effect";
import { TestClock } from "effect/testing";
import { MessageSender, Outbox, OutgoingAttempts, OutgoingJournal, type SendingKey } from "../../src/send/index.ts";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { OutgoingWorker } from "../../src/send/outgoing/OutgoingWorker.ts";
import { stateOf } from "../../src/send/outgoing/outgoing-state.ts";
import { Entropy, type Lease, yieldToOthers } from "../../src/shared/index.ts";
import { numberedIds, readableHashes, readableIds } from "../doubles.ts";
import { ME, sendingMail, sendingServer } from "./sending-server.ts";
import { SendingState } from "./sending-state.ts";
import { sendingStores } from "./sending-stores.ts";

/** The journal of one account, its mail server, and the use cases of sending over both. */
export class SendingWorld extends SendingState {
  readonly layer = Layer.suspend(() => {
    const entropy = Effect.runSync(Effect.provide(Entropy, numberedIds));
    const doubles = Layer.mergeAll(
      sendingStores(this),
      sendingServer(this),
      sendingMail(this),
      Layer.succeed(Entropy, entropy),
      readableHashes,
      readableIds,
    );
    const worker = Layer.effect(
      OutgoingWorker,
      Effect.map(Scope.Scope, (scope) =>
        OutgoingWorker.of({
          adopt: (_: string, lease: Lease, item: (held: { token: string; until: number }) => Effect.Effect<void>) =>
            Effect.asVoid(Effect.forkIn(item({ ...lease }), scope)),
        } as never),
      ),
    );
    return Layer.mergeAll(MessageSender.layer, Outbox.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(OutgoingAttempts.layer, worker)),
      Layer.provideMerge(doubles),
    );
  });

  /** Works on the last message under a new lease, as the worker does. */
  work(now: number) {
    return Effect.gen({ self: this }, function* () {
      const { id, account } = this.message;
      const lease = { token: `worker ${now}`, until: now + 30_000 };
      const claimed = yield* (yield* OutgoingJournal).claimOne(account, id, now, lease);
      if (Option.isSome(claimed)) yield* (yield* OutgoingAttempts).work(claimed.value, { ...lease });
      return stateOf(this.message, false);
    });
  }
}

export const NOW = 1_900_000_000_000;

/** The sender, the worker and the outbox of a world. */
export const sendingIn = (world: SendingWorld) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const context = yield* Layer.build(world.layer);
    const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideContext(effect, context) as Effect.Effect<A, E>;
    return {
      run,
      /** Sends a message, and lets the copy in Sent be stored, for which the client does not wait. */
      send: (request: SendRequest = {}, key?: string, by?: SendingKey, account = ME) =>
        Effect.flatMap(MessageSender, (sender) =>
          sender.send(account, { to: "a@y.test", subject: "S", text: "T", ...request }, key, by),
        ).pipe(run, Effect.ensuring(Effect.repeat(yieldToOthers, { times: 9 }))),
      workAt: (now: number) => Effect.andThen(TestClock.setTime(now), run(world.work(now))),
      outbox: <A, E>(ask: (outbox: Outbox["Service"]) => Effect.Effect<A, E>) => run(Effect.flatMap(Outbox, ask)),
    };
  });
