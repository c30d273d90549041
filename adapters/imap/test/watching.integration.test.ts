import { assert, it } from "@effect/vitest";
import { InboxWatch } from "@postern/core/watch";
import { MailboxReader, MessageChanges } from "@postern/core/messages";
import { describeWithDovecot, MailServerControl, plainMessage, signedInAccount } from "@postern/testkit";
import { Effect, Fiber } from "effect";
import { imapOnDovecot } from "./imap-on-dovecot.ts";
import { imapThroughProxy, Proxy } from "./imap-through-proxy.ts";

const uidsOf = (messages: ReadonlyArray<{ readonly uid: number }>) => messages.map(({ uid }) => uid);

describeWithDovecot("watching INBOX of Dovecot", () => {
  it.live("does not open the mailbox read-only in the session that reads the present state", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const uid = yield* control.append(account, "INBOX", plainMessage("m"));
      const { cursor } = yield* (yield* InboxWatch).readPresent(account, "request");
      const place = { path: "INBOX", uidValidity: cursor.uidValidity };
      yield* (yield* MessageChanges).setFlags(account, place, [uid], { flagged: true });
      const { newest } = yield* (yield* InboxWatch).readPresent(account, "request");
      assert.deepInclude(newest.messages[0], { uid, flagged: true });
    }).pipe(Effect.scoped, Effect.provide(imapOnDovecot({}))),
  );

  for (const [what, capabilities] of [
    ["left by UNSELECT", undefined],
    ["replaced if the server lacks UNSELECT", "IMAP4rev1 LITERAL+ NAMESPACE IDLE ENABLE CONDSTORE QRESYNC UIDPLUS"],
  ] as const) {
    it.live(`learns changes by QRESYNC on a connection that a listing used before, ${what}`, () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const watch = yield* InboxWatch;
        const reader = yield* MailboxReader;
        const { account } = yield* signedInAccount;
        const old = yield* control.append(account, "INBOX", plainMessage("old"));
        yield* Effect.scoped(reader.view(account, "INBOX"));
        const inbox = yield* watch.open(account, "watch");
        const { cursor } = yield* inbox.poll((yield* watch.readPresent(account, "request")).cursor);
        const uid = yield* control.append(account, "INBOX", plainMessage("new"));
        yield* control.expunge(account, "INBOX", [old]);
        yield* inbox.changed;
        const poll = yield* inbox.poll(cursor);
        assert.deepStrictEqual(uidsOf(poll.arrived), [uid]);
        assert.deepStrictEqual(poll.present ?? poll.vanished, [old], "by VANISHED, not by a complete list");
      }).pipe(Effect.scoped, Effect.provide(imapOnDovecot(capabilities === undefined ? {} : { capabilities }))),
    );
  }

  it.live(
    "sends no NOOP while the server announces changes, and names no mailbox once the server has stopped announcing [S7.11-14]",
    () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const proxy = yield* Proxy;
        const inbox = yield* (yield* InboxWatch).open(account, "watch");
        yield* inbox.poll(null);
        assert.isTrue(yield* inbox.announceAll);
        const changed = yield* Effect.forkChild(inbox.changed);
        yield* Effect.sleep("3 seconds");
        assert.notInclude(
          proxy.commands.map((line) => line.replace(/^\S+ /, "").trim()),
          "NOOP",
        );
        assert.strictEqual(proxy.interruptIdle("* OK [NOTIFICATIONOVERFLOW] too many\r\n"), 1);
        assert.isNull(yield* Effect.timeout(Fiber.join(changed), "2 seconds"));
        yield* inbox.poll(null);
        assert.isNull(yield* Effect.timeout(inbox.changed, "4 seconds"));
        const control = yield* MailServerControl;
        const found: Array<ReadonlySet<string> | null> = [];
        while (found.length < 40 && !found.includes(null)) {
          yield* control.append(account, "INBOX", plainMessage("busy"));
          yield* Effect.sleep("100 millis");
          found.push(yield* inbox.changed);
          yield* inbox.poll(null);
        }
        assert.include(found, null, "while mail arrives all the time, too");
        assert.isAbove(found.length, 1, "and not each time");
      }).pipe(Effect.scoped, Effect.provide(imapThroughProxy({}, {}, { timeouts: { keepalive: "2 seconds" } }))),
  );
});
