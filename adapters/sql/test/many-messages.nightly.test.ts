import { assert, it } from "@effect/vitest";
import { type OutgoingContents, OutgoingJournal, type OutgoingMessage, withdraw } from "@postern/core/send";
import { AccountId, Transaction } from "@postern/core/shared";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, Fiber, Option, Struct } from "effect";
import { inTemporaryFolder, onNewDatabaseOf } from "./databases.ts";

const MESSAGES = 10_000;
const SPAM = { application: "spam" };
const CONTENTS: OutgoingContents = {
  from: { name: "", address: "a@x.test" },
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: "s",
  text: "x".repeat(2_000),
  html: null,
  inReplyTo: null,
  references: [],
  headers: [],
  attachments: [],
  size: 3_000,
};

const message = (n: number, application: string, attemptAt: number): OutgoingMessage => ({
  id: `out_${application}_${n}`,
  account: AccountId(`a${n % 50}@x.test`),
  messageId: `<${application}${n}@x.test>`,
  author: { key: `k${n % 3}`, application },
  createdAt: 1_000 + n,
  from: "a@x.test",
  to: ["b@y.test"],
  cc: [],
  subject: "s",
  recipients: [{ address: "b@y.test", state: "queued", reply: null }],
  step: 0,
  attemptAt,
  scheduledFor: null,
  paused: null,
  failure: null,
  copy: { state: "owed", step: 0, at: null },
});

/** Sends one message after another as another application; returns their number and the longest time. */
const sendOn = Effect.gen(function* () {
  const journal = yield* OutgoingJournal;
  const sent = { count: 0, longest: 0 };
  const one = Effect.gen(function* () {
    const began = performance.now();
    const sending = message(sent.count, "other", 1);
    const lease = { token: `t${sent.count}`, until: 9e12 };
    yield* journal.insert(sending, CONTENTS, lease);
    const recipients = sending.recipients.map((recipient) => ({ ...recipient, state: "sent" as const }));
    yield* journal.save({ ...sending, attemptAt: null, recipients }, lease.token, "release");
    sent.count++;
    sent.longest = Math.max(sent.longest, performance.now() - began);
    yield* Effect.yieldNow;
  });
  return { sent, fiber: yield* Effect.forkChild(Effect.forever(one)) };
});

const CHANGES = {
  hold: (one: OutgoingMessage): OutgoingMessage => ({ ...one, heldSince: 5, heldBy: "operator" }),
  release: (one: OutgoingMessage): OutgoingMessage => Struct.omit(one, ["heldSince", "heldBy"]),
  cancel: withdraw,
};

/** Prints the time that the operator waits, and the work of others meanwhile. The times are not checked, because they depend on the machine. */
const changeAll = (name: string) =>
  Effect.gen(function* () {
    const journal = yield* OutgoingJournal;
    const { run } = yield* Transaction;
    for (let n = 0; n < MESSAGES; n++) yield* journal.insert(message(n, SPAM.application, 4e12), CONTENTS, null);
    const { sent, fiber } = yield* sendOn;
    for (const what of ["hold", "release", "cancel"] as const) {
      const [began, before] = [performance.now(), sent.count];
      sent.longest = 0;
      let changed = 0;
      for (let after = Option.some(""); Option.isSome(after);) {
        const slice = { after: after.value, limit: 100, now: 10, asked: what };
        const done = yield* run(journal.changeSlice(SPAM, CHANGES[what], slice));
        changed += done.changed.length;
        after = Option.fromNullOr(done.last);
        yield* Effect.repeat(Effect.yieldNow, { times: 16 });
      }
      const seconds = (performance.now() - began) / 1_000;
      const others = `${Math.round((sent.count - before) / seconds)} sent a second, ${Math.round(sent.longest)} ms at most`;
      console.log(`${name}: ${what} of ${changed} messages in ${seconds.toFixed(2)} s; others: ${others}`);
      assert.strictEqual(changed, MESSAGES);
      assert.isAbove(sent.count, before, "others send meanwhile");
    }
    yield* Fiber.interrupt(fiber);
    assert.lengthOf(yield* journal.list({ ...SPAM, state: "cancelled" }, 10, MESSAGES + 1), MESSAGES);
  });

const WITHIN = 300_000;

it.live(
  "holds, releases and cancels 10,000 messages while others send, on SQLite",
  () => changeAll("SQLite").pipe(Effect.provide(inTemporaryFolder)),
  WITHIN,
);

describeWithPostgres("the outbox on PostgreSQL", () => {
  const stores = onNewDatabaseOf(Postgres.layer);
  it.live(
    "holds, releases and cancels 10,000 messages while others send",
    () => changeAll("PostgreSQL").pipe(Effect.provide(stores)),
    WITHIN,
  );
});
