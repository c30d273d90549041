import { Clock, Effect, Layer } from "effect";
import type { AccountData, WaitingMail } from "../shared/neighbours.ts";
import { OpenTracker } from "./opens/OpenTracker.ts";
import { Outbox } from "./outgoing/Outbox.ts";
import { OutgoingAttempts } from "./outgoing/OutgoingAttempts.ts";
import { OutgoingWorker } from "./outgoing/OutgoingWorker.ts";
import { bulkStores, setSuspended } from "./outgoing/change-all.ts";
import { disown, hold, holdForDeletedApplication, withdraw } from "./outgoing/holds.ts";
import { isFinished } from "./outgoing/outgoing-state.ts";
import { unmark } from "./outgoing/outgoing-transitions.ts";
import { Contacts } from "./contacts/Contacts.ts";
import { ContactRecords } from "./ports/ContactRecords.ts";
import { Identities } from "./identities/Identities.ts";
import { IdentityRecords } from "./ports/IdentityRecords.ts";
import { IdempotencyKeys } from "./ports/IdempotencyKeys.ts";
import { OutgoingJournal, type OutgoingFilter } from "./ports/OutgoingJournal.ts";
import { SendQuotas } from "./ports/SendQuotas.ts";
import { TrackedMessages } from "./ports/TrackedMessages.ts";
import { UploadRecords } from "./ports/UploadRecords.ts";
import { Invitations } from "./invitations/Invitations.ts";
import { MessageSender } from "./MessageSender.ts";
import { stopWaiting } from "./outgoing/server-probes.ts";
import { sweepSent } from "./outgoing/sweep-sent.ts";
import { Uploads } from "./uploads/Uploads.ts";

const data = Effect.gen(function* () {
  const journal = yield* OutgoingJournal;
  const tracked = yield* TrackedMessages;
  const quotas = yield* SendQuotas;
  const uploads = yield* UploadRecords;
  const bulk = yield* bulkStores;
  const small = [yield* IdempotencyKeys, quotas, uploads, yield* IdentityRecords, yield* ContactRecords];

  const end = Effect.fnUntraced(function* (whose: OutgoingFilter, mail: WaitingMail, holdOne: typeof hold) {
    const now = yield* Clock.currentTimeMillis;
    if (mail === "keep") {
      yield* journal.changeWaiting(whose, (message) => disown(message, now));
      return { messages: 0 };
    }
    const ended = yield* stopWaiting(journal, whose, mail === "cancel" ? withdraw : (message) => holdOne(message, now));
    if (mail !== "cancel") return { messages: ended.length };
    yield* uploads.unpin(ended.filter(isFinished).map(({ id }) => id));
    return { messages: ended.length, accounts: ended.map(({ account }) => account) };
  });

  return {
    name: "send",
    erase: (account) => Effect.forEach(small, ({ erase }) => erase(account), { discard: true }),
    eraseSlice: Effect.fnUntraced(function* (account, limit) {
      yield* stopWaiting(journal, { account }, (message) => withdraw(unmark(message)));
      return (yield* journal.erase(account, limit)) || (yield* tracked.erase(account, limit));
    }),
    needsCredential: journal.hasUnfinished,
    endKey: (key, mail) => Effect.andThen(quotas.erase(key), end({ key }, mail, hold)),
    endApplication: (application, mail) => end({ application }, mail, holdForDeletedApplication),
    setSuspended: (application, isSuspended) => setSuspended(bulk, application, isSuspended),
  } satisfies AccountData;
});

/** The domain of sending: uploads, the journal and its worker, the outbox, and tracked openings. */
export const send = {
  layer: Layer.mergeAll(Layer.provideMerge(Invitations.layer, MessageSender.layer), Outbox.layer).pipe(
    Layer.provideMerge(OutgoingWorker.layer),
    Layer.provide(OutgoingAttempts.layer),
    Layer.provideMerge(Layer.mergeAll(Identities.layer, Uploads.layer, Contacts.layer)),
    Layer.merge(OpenTracker.layer),
  ),
  data,
  workers: Effect.map(OutgoingWorker, (worker) => [worker]),
  sweeps: Effect.gen(function* () {
    return [(yield* Uploads).sweep, yield* sweepSent];
  }),
};
