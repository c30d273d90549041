import { Context, Effect, Layer } from "effect";
import { leasedWorker, type LeasedWorker } from "../../shared/neighbours.ts";
import { LEASE, RENEW_EVERY } from "../limits.ts";
import { OutgoingAttempts } from "./OutgoingAttempts.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";

/** The number of messages that this process works on at a time, besides messages of waiting clients. */
const MAX_AT_ONCE = 50;

/** Sends due messages (spec 6.3). Adopts a message with a waiting client as soon as the message is journaled. */
export class OutgoingWorker extends Context.Service<OutgoingWorker, LeasedWorker>()(
  "@postern/core/send/outgoing/OutgoingWorker",
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
        maxAtOnce: MAX_AT_ONCE,
        lease: LEASE,
        renewEvery: RENEW_EVERY,
        work: (message, held) => attempts.work(message, held),
      });
      return OutgoingWorker.of(worker);
    }),
  );
}
