import { Context, Effect, Layer } from "effect";
import { leasedWorker, type LeasedWorker } from "../shared/index.ts";
import { LEASE, RENEW_EVERY } from "./limits.ts";
import { OutgoingAttempts } from "./OutgoingAttempts.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";

/** Messages this process claims at a time, beside those whose clients wait. */
const MOST_AT_ONCE = 50;

/** Sends the messages that are due (spec 6.3), and the one that a client waits for as soon as it is journaled. */
export class OutgoingWorker extends Context.Service<OutgoingWorker, LeasedWorker>()(
  "@postern/core/send/OutgoingWorker",
) {
  static readonly layer = Layer.effect(
    OutgoingWorker,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const attempts = yield* OutgoingAttempts;
      const worker = yield* leasedWorker({
        name: "outgoing mail",
        rows: journal,
        idOf: ({ id }) => id,
        mostAtOnce: MOST_AT_ONCE,
        lease: LEASE,
        renewEvery: RENEW_EVERY,
        work: (message, held) => attempts.work(message, held),
      });
      return OutgoingWorker.of(worker);
    }),
  );
}
