import { assert, layer } from "@effect/vitest";
import { Entropy } from "@postern/core/shared";
import { Folders } from "@postern/core/folders";
import { MessageLocator, Messages, Search, Threads } from "@postern/core/messages";
import { layer as imap } from "@postern/imap";
import { OpaqueIdsInMemory, StoresInMemory } from "@postern/memory";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  type ImapProxy,
  imapProxy,
  crlfLines,
  MailServerControl,
  servicesWithoutStore,
  noPreviews,
  plainMessage,
  signedInAccount,
  mailServersAt,
} from "@postern/testkit";
import { Context, Effect, Layer } from "effect";

class Proxy extends Context.Service<Proxy, ImapProxy>()("Proxy") {}

const FOLDERS = 20;

const entropy = Layer.succeed(Entropy, { id: () => Effect.sync(() => globalThis.crypto.randomUUID()) });
const ports = Layer.unwrap(
  Effect.map(Proxy, ({ port }) => Layer.provide(imap(), mailServersAt({ host: "127.0.0.1", port }))),
).pipe(
  Layer.provideMerge(
    Layer.effect(
      Proxy,
      Effect.flatMap(Dovecot, ({ port }) => imapProxy(port)),
    ),
  ),
);
const world = Layer.mergeAll(Threads.layer, Search.layer).pipe(
  Layer.provideMerge(MessageLocator.layer),
  Layer.provideMerge(Folders.layer),
  Layer.provide([servicesWithoutStore, noPreviews, entropy, Layer.mock(Messages, {})]),
  Layer.provideMerge(Layer.mergeAll(ports, dovecotControl, OpaqueIdsInMemory)),
  Layer.provideMerge(StoresInMemory),
  Layer.provideMerge(Dovecot.layer()),
);

const talk = (n: number, ...more: ReadonlyArray<string>) =>
  crlfLines("From: a@example.org", `Message-ID: <t${n}@x>`, `Subject: talk ${n}`, ...more, "", "Text.");

const noon = (day: number) => ({ arrivedAt: Date.UTC(2025, 5, day, 12) });

describeWithDovecot("a conversation on Dovecot, which has no THREADID", () => {
  layer(world, { excludeTestServices: true })("in many folders", (it) => {
    it.effect("is found completely, and each folder is searched once", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account } = yield* signedInAccount;
        yield* control.append(account, "INBOX", talk(1), noon(1));
        yield* control.append(account, "Sent", talk(2, "In-Reply-To: <t1@x>", "References: <t1@x>"), noon(2));
        yield* control.append(account, "INBOX", talk(3, "In-Reply-To: <t2@x>"), noon(3));
        for (let n = 0; n < FOLDERS; n++) {
          yield* control.createMailbox(account, `Box ${n}`);
          yield* control.append(account, `Box ${n}`, plainMessage(`other ${n}`));
        }
        yield* control.append(account, `Box ${FOLDERS - 1}`, talk(4, "In-Reply-To: <t3@x>"), noon(4));
        const { emails } = yield* (yield* Search).list(account, { subject: "talk" });
        assert.lengthOf(emails, 4);
        const proxy = yield* Proxy;
        let selects = 0;
        proxy.rewrite = {
          command: (line) => {
            const box = / SELECT "?Box (\d+)/.exec(line)?.[1];
            if (box !== undefined && Number(box) < FOLDERS - 1) selects++;
            return line;
          },
        };
        for (const { id } of emails) {
          selects = 0;
          const thread = yield* (yield* Threads).list(account, id);
          assert.sameMembers(
            thread.emails.map(({ message }) => message.subject),
            ["talk 1", "talk 2", "talk 3", "talk 4"],
          );
          // The last mailbox is opened again to list its message.
          assert.strictEqual(selects, FOLDERS - 1);
        }
      }),
    );
  });
});
