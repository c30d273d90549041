import { assert, it } from "@effect/vitest";
import { Folders } from "@postern/core/folders";
import { MessageLocator, Messages, Search, Threads } from "@postern/core/messages";
import { Entropy } from "@postern/core/shared";
import { layer as imap } from "@postern/imap";
import { OpaqueIdsInMemory, StoresInMemory } from "@postern/memory";
import {
  openConversation,
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  imapProxy,
  MailServerControl,
  mailServersAt,
  servicesWithoutStore,
  noPreviews,
  plainMessage,
  profileOf,
  quirkRewrite,
  signedInAccount,
} from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";

const ALL = "[Gmail]/All Mail";

const entropy = Layer.succeed(Entropy, { id: () => Effect.sync(() => globalThis.crypto.randomUUID()) });
const ports = Layer.unwrap(
  Effect.gen(function* () {
    const { port } = yield* imapProxy((yield* Dovecot).port, quirkRewrite(profileOf("gmail").quirks));
    return Layer.provide(imap(), mailServersAt({ host: "127.0.0.1", port }));
  }),
);
const world = Layer.mergeAll(Threads.layer, Search.layer).pipe(
  Layer.provideMerge(MessageLocator.layer),
  Layer.provideMerge(Folders.layer),
  Layer.provide([servicesWithoutStore, noPreviews, entropy, Layer.mock(Messages, {})]),
  Layer.provideMerge(Layer.mergeAll(ports, dovecotControl, OpaqueIdsInMemory)),
  Layer.provideMerge(StoresInMemory),
  Layer.provideMerge(Dovecot.layer({ all: ALL })),
);

describeWithDovecot("Gmail, if a message has several labels", () => {
  it.live("is searched and threaded without duplicates [S5.4-3]", () =>
    Effect.gen(function* () {
      const { account, credential } = yield* signedInAccount;
      const control = yield* MailServerControl;
      yield* control.createMailbox(account, "Work");
      for (const n of [1, 2, 3, 4]) yield* control.append(account, "INBOX", plainMessage(`label ${n}`));
      yield* control.setFlags(account, "INBOX", 2, ["\\Seen"]);
      const { host, port } = yield* Dovecot;
      yield* Effect.promise(async () => {
        const session = await openConversation(host, port, credential.username, Redacted.value(credential.password));
        await session.command("SELECT INBOX");
        await session.command(`UID COPY 1:4 "${ALL}"`);
        await session.command("UID COPY 2:3 Work");
        session.close();
      });
      yield* control.expunge(account, "INBOX", [4]);
      const search = yield* Search;
      const found = yield* search.list(account, { subject: "label", limit: 3 });
      const places = found.emails.map(({ path, message }) => `${path} ${message.subject}`);
      assert.deepStrictEqual([found.total, found.unread], [4, 3]);
      assert.deepStrictEqual(places, ["INBOX label 3", "INBOX label 2", "INBOX label 1"]);
      const rest = yield* search.list(account, { subject: "label", limit: 3, cursor: found.nextCursor ?? "" });
      assert.deepStrictEqual(
        rest.emails.map(({ path, message }) => `${path} ${message.subject}`),
        [`${ALL} label 4`],
      );
      assert.lengthOf(yield* search.ids(account, { subject: "label" }), 4);
      const inWork = yield* search.list(account, { subject: "label", folder: "Work" });
      assert.strictEqual(inWork.total, 2);
      const threads = yield* Threads;
      const thread = yield* threads.list(account, found.emails[0]!.id);
      assert.deepStrictEqual(
        thread.emails.map(({ path, message }) => `${path} ${message.subject}`),
        ["INBOX label 1", "INBOX label 2", "INBOX label 3"],
      );
    }).pipe(Effect.provide(world)),
  );
});
