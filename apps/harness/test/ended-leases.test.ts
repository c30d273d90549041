import { assert, it } from "@effect/vitest";
import { UseCases } from "@postern/core";
import { AccountDirectory } from "@postern/core/accounts";
import { CredentialVault } from "@postern/core/auth";
import { FolderManagement, FolderRemovals, MailboxChanges } from "@postern/core/folders";
import {
  MailTransport,
  OutgoingAttempts,
  type OutgoingContents,
  OutgoingJournal,
  type OutgoingMessage,
  SentFolder,
} from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { WebhookSubscriber } from "@postern/core/webhooks";
import { EventPublisher } from "@postern/core/events";
import { adaptersInMemory } from "@postern/harness";
import { MailWorld, SmtpInMemory } from "@postern/memory";
import { Clock, Context, Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe } from "vitest";
import { webhookWorld } from "./webhook-world.ts";

const DEMO = AccountId("demo@postern.test");

const MESSAGE: OutgoingMessage = {
  id: "out_1",
  account: DEMO,
  messageId: "<out_1@postern.test>",
  createdAt: 0,
  from: DEMO,
  to: ["friend@postern.test"],
  cc: [],
  subject: "Hi",
  recipients: [{ address: "friend@postern.test", state: "queued", reply: null }],
  step: 0,
  attemptAt: 0,
  scheduledFor: null,
  paused: null,
  failure: null,
  copy: { state: "owed", step: 0, at: null },
};
const CONTENTS: OutgoingContents = {
  from: { name: "", address: DEMO },
  to: [{ name: "", address: "friend@postern.test" }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: "Hi",
  text: "Hi",
  html: null,
  inReplyTo: null,
  references: [],
  headers: [],
  attachments: [],
  size: 500,
};

/** The adapters with the credential of the account. */
const adapters = Effect.gen(function* () {
  const context = yield* Layer.build(adaptersInMemory);
  const credential = { _tag: "Password", username: DEMO, password: Redacted.make("demo") } as const;
  yield* Context.get(context, CredentialVault).keep(DEMO, credential);
  return context;
});

describe("a worker whose process was suspended until its lease had ended", () => {
  /** Works on a message; its lease ends at `end`, and no timer fires. Returns what the worker did outside the store. */
  const workUntil = Effect.fnUntraced(function* (end: "start" | "look" | "mark" | "search" | "never") {
    const context = yield* adapters;
    const held = { token: "mine", until: end === "start" ? -Infinity : Infinity };
    const endAt = (moment: typeof end) => Effect.sync(() => void (moment === end && (held.until = -Infinity)));
    const done: Array<string> = [];
    Context.get(context, SmtpInMemory).onTaken = () => void done.push("dot");
    const transport = Context.get(context, MailTransport);
    const journal = Context.get(context, OutgoingJournal);
    const sent = Context.get(context, SentFolder);
    const directory = Context.get(context, AccountDirectory);
    const ports = context.pipe(
      Context.add(MailTransport, {
        ...transport,
        deliver: (...args) => Effect.suspend(() => (done.push("connect"), transport.deliver(...args))),
      }),
      Context.add(AccountDirectory, {
        ...directory,
        find: (...args) => Effect.ensuring(directory.find(...args), endAt("look")),
      }),
      Context.add(OutgoingJournal, {
        ...journal,
        save: (...args) => Effect.ensuring(journal.save(...args), endAt("mark")),
      }),
      Context.add(SentFolder, {
        keep: (...args) => Effect.andThen(endAt("search"), sent.keep(...args)),
      }),
    );
    const services = OutgoingAttempts.layer.pipe(
      Layer.provide(Layer.provide(EventPublisher.layer, WebhookSubscriber)),
      Layer.provide(Layer.provideMerge(UseCases, Layer.succeedContext(ports))),
      Layer.provide(Layer.succeedContext(ports)),
    );
    const { work } = Context.get(yield* Layer.build(services), OutgoingAttempts);
    const now = yield* Clock.currentTimeMillis;
    yield* journal.insert(MESSAGE, CONTENTS, { token: "mine", until: now + 30_000 });
    yield* Effect.exit(work(MESSAGE, held));
    const { messages } = Context.get(context, MailWorld).account(DEMO).mailbox("Sent");
    if (messages.some(({ summary }) => summary.messageId === MESSAGE.messageId)) done.push("copy");
    return done;
  });

  it.effect.each([
    ["never", ["connect", "dot", "copy"]],
    ["start", []],
    ["look", []],
    ["mark", ["connect"]],
    ["search", ["connect", "dot"]],
  ] as const)("does nothing more for a message (end of the lease: %s) [S9.3-5]", ([end, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* workUntil(end), [...expected]);
    }).pipe(Effect.scoped),
  );

  it.effect("renames no folder [S9.3-5]", () =>
    Effect.gen(function* () {
      const context = yield* adapters;
      const removals = Context.get(context, FolderRemovals);
      const changes = Context.get(context, MailboxChanges);
      const done: Array<string> = [];
      const ports = context.pipe(
        Context.add(FolderRemovals, {
          ...removals,
          claimOne: (...args) =>
            Effect.tap(removals.claimOne(...args), () =>
              done.push("claim") === 1 ? Effect.sleep("9 seconds") : Effect.void,
            ),
        }),
        Context.add(MailboxChanges, {
          ...changes,
          rename: (...args) => Effect.suspend(() => (done.push("rename"), changes.rename(...args))),
        }),
      );
      const useCases = yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(ports)));
      const folders = Context.get(useCases, FolderManagement);
      const { id } = yield* folders.create(DEMO, { name: "Old", parentId: null });
      yield* Effect.forkChild(folders.remove(DEMO, id, { permanent: false, recursive: false }));
      yield* TestClock.adjust("1 minute");
      assert.deepStrictEqual(done, ["claim", "claim", "rename"]);
    }).pipe(Effect.scoped),
  );

  it.effect("makes no POST [S9.3-5]", () =>
    Effect.gen(function* () {
      let claims = 0;
      const claimsAtPost: Array<number> = [];
      const { publish, dispatcher } = yield* webhookWorld(
        () => (claimsAtPost.push(claims), { status: 200 }),
        {},
        (queue) => ({
          ...queue,
          claim: (...args) =>
            Effect.tap(queue.claim(...args), ({ length }) =>
              length > 0 && ++claims === 1 ? Effect.sleep("8 seconds") : Effect.void,
            ),
        }),
      );
      yield* publish;
      yield* Effect.forkChild(dispatcher.run);
      yield* TestClock.adjust("10 minutes");
      assert.deepStrictEqual(claimsAtPost, [2]);
    }).pipe(Effect.scoped),
  );
});
