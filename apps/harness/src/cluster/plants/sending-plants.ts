import {
  IdempotencyKeys,
  MailTransport,
  OutgoingJournal,
  type OutgoingMessage,
  SentFolder,
  UploadRecords,
} from "@postern/core/send";
import { Transaction } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { type Plant, plant } from "./Plant.ts";

const pastMark = (message: OutgoingMessage): OutgoingMessage => ({
  ...message,
  recipients: message.recipients.map((one) => (one.state === "dot" ? { ...one, state: "queued" } : one)),
});

/** Bugs of sending. */
export const sendingPlants: ReadonlyArray<Plant> = [
  plant("outgoing-fence-dropped", "a journaled message is saved under any token", OutgoingJournal, (real, memory) => ({
    insert: (message, contents, lease) => {
      if (lease !== null) memory.set(message.id, lease.token);
      return real.insert(message, contents, lease);
    },
    claim: (now, lease, limit) =>
      Effect.tap(real.claim(now, lease, limit), (all) =>
        Effect.sync(() => all.forEach(({ id }) => memory.set(id, lease.token))),
      ),
    save: (message, token, lease) => real.save(message, (memory.get(message.id) as string | undefined) ?? token, lease),
  })),
  plant("outgoing-claim-early", "messages are claimed 25 seconds before their lease ends", OutgoingJournal, (real) => ({
    claim: (now, lease, limit) => real.claim(now + 25_000, lease, limit),
  })),
  plant("outgoing-lease-not-renewed", "leases of messages are not renewed", OutgoingJournal, () => ({
    renew: (ids) => Effect.succeed(new Set(ids)),
  })),
  plant("outgoing-mark-forgotten", "a message past its mark is sent again after a crash", OutgoingJournal, (real) => ({
    claim: (now, lease, limit) => Effect.map(real.claim(now, lease, limit), (all) => all.map(pastMark)),
  })),
  plant("mark-after-dot", "a message is marked after its dot", MailTransport, (real) => ({
    deliver: (account, submission, beforeDot) =>
      Effect.gen(function* () {
        let replies = new Map() as Parameters<typeof beforeDot>[0];
        const outcome = yield* real.deliver(account, submission, (all) => Effect.sync(() => ((replies = all), true)));
        yield* beforeDot(replies);
        return outcome;
      }),
  })),
  plant("mark-not-checked", "the dot is sent though marking failed", MailTransport, (real) => ({
    deliver: (account, submission, beforeDot) =>
      real.deliver(account, submission, (replies) => Effect.as(beforeDot(replies), true)),
  })),
  plant("key-always-free", "an Idempotency-Key is free although it is taken", IdempotencyKeys, (real) => ({
    take: (record, expired) => Effect.as(real.take(record, expired), true),
  })),
  plant("key-not-found", "a used Idempotency-Key is not found and overwritten", IdempotencyKeys, () => ({
    find: () => Effect.succeedNone,
    take: () => Effect.succeed(true),
  })),
  plant("transaction-not-atomic", "statements of a transaction commit one by one", Transaction, () => ({
    run: (effect) => effect,
  })),
  plant("sent-copy-not-searched", "Sent is not searched for an earlier copy", SentFolder, (real, memory) => ({
    keep: (account, messageId, message, absentUntil) => {
      const copies = ((memory.get(messageId) as number | undefined) ?? 0) + 1;
      memory.set(messageId, copies);
      // The search for another Message-ID finds nothing; the stored message keeps its own Message-ID.
      return real.keep(account, copies === 1 ? messageId : `${copies} ${messageId}`, message, absentUntil);
    },
  })),
  plant("sent-copy-dropped", "the copy in Sent is reported as stored and is not", SentFolder, () => ({
    keep: () => Effect.void,
  })),
  plant("contents-lost", "the contents of a message disappear when it is claimed", OutgoingJournal, (real, memory) => ({
    claim: (now, lease, limit) =>
      Effect.tap(real.claim(now, lease, limit), (all) =>
        Effect.sync(() => all.forEach(({ id }) => memory.set(id, true))),
      ),
    contents: (id) => (memory.get(id) === true ? Effect.succeed(Option.none()) : real.contents(id)),
  })),
  plant("upload-stays-pinned", "a finished message does not release its uploads", UploadRecords, () => ({
    unpin: () => Effect.void,
  })),
];
