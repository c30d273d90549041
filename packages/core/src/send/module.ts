import { Clock, Effect, Layer } from "effect";
import type { AccountData } from "../shared/neighbours.ts";
import { OpenTracker } from "./opens/OpenTracker.ts";
import { Outbox } from "./outgoing/Outbox.ts";
import { OutgoingAttempts } from "./outgoing/OutgoingAttempts.ts";
import { OutgoingWorker } from "./outgoing/OutgoingWorker.ts";
import { hold, withdraw } from "./outgoing/held-message.ts";
import { Identities } from "./identities/Identities.ts";
import { IdentityRecords } from "./ports/IdentityRecords.ts";
import { IdempotencyKeys } from "./ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { SendQuotas } from "./ports/SendQuotas.ts";
import { TrackedMessages } from "./ports/TrackedMessages.ts";
import { UploadRecords } from "./ports/UploadRecords.ts";
import { MessageSender } from "./MessageSender.ts";
import { stopWaiting } from "./outgoing/server-probes.ts";
import { sweepSent } from "./outgoing/sweep-sent.ts";
import { Uploads } from "./uploads/Uploads.ts";

const data = Effect.gen(function* () {
  const journal = yield* OutgoingJournal;
  const tracked = yield* TrackedMessages;
  const quotas = yield* SendQuotas;
  const uploads = yield* UploadRecords;
  const small = [yield* IdempotencyKeys, quotas, uploads, yield* IdentityRecords];
  return {
    name: "send",
    erase: (account) => Effect.forEach(small, ({ erase }) => erase(account), { discard: true }),
    eraseSlice: Effect.fnUntraced(function* (account, limit) {
      yield* stopWaiting(journal, { account }, withdraw);
      return (yield* journal.erase(account, limit)) || (yield* tracked.erase(account, limit));
    }),
    needsCredential: journal.hasUnfinished,
    endKey: Effect.fnUntraced(function* (key) {
      yield* quotas.erase(key);
      const now = yield* Clock.currentTimeMillis;
      const held = yield* stopWaiting(journal, { key }, (message) => hold(message, now));
      return { messages: held.length };
    }),
    endApplication: Effect.fnUntraced(function* (application) {
      const cancelled = yield* stopWaiting(journal, { application }, withdraw);
      yield* Effect.forEach(cancelled, ({ id }) => uploads.unpin(id), { discard: true });
      return { messages: cancelled.length };
    }),
  } satisfies AccountData;
});

/** Sending: uploads, the journal and its worker, the outbox, tracked openings. */
export const send = {
  layer: Layer.mergeAll(MessageSender.layer, Outbox.layer).pipe(
    Layer.provideMerge(OutgoingWorker.layer),
    Layer.provide(OutgoingAttempts.layer),
    Layer.provideMerge(Layer.mergeAll(Identities.layer, Uploads.layer)),
    Layer.merge(OpenTracker.layer),
  ),
  data,
  workers: Effect.map(OutgoingWorker, (worker) => [worker]),
  sweeps: Effect.gen(function* () {
    return [(yield* Uploads).sweep, yield* sweepSent];
  }),
};
