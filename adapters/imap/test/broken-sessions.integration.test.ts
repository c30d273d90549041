import { assert, layer } from "@effect/vitest";
import { InboxWatch } from "@postern/core/watch";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader, MessageChanges, MessageSearch } from "@postern/core/messages";
import { describeWithDovecot, findIn, MailServerControl, plainMessage, signedInAccount } from "@postern/testkit";
import { Effect } from "effect";
import { failureOf } from "./failure-of.ts";
import { imapThroughProxy, Proxy } from "./imap-through-proxy.ts";

const OPENING = /^\S+ (?:SELECT|EXAMINE) /;

describeWithDovecot("sessions that are refused every mailbox", () => {
  for (const answer of ["NO [SERVERBUG] internal error", "NO [UNAVAILABLE] later", "NO cannot open it", "BAD broken"]) {
    layer(imapThroughProxy(), { excludeTestServices: true })(answer, (it) => {
      it.effect("are replaced without a failed call or a missed change, and are not used again", () =>
        Effect.gen(function* () {
          const proxy = yield* Proxy;
          const control = yield* MailServerControl;
          const { account } = yield* signedInAccount;
          yield* control.createMailbox(account, "Box");
          const uid = yield* control.append(account, "Box", plainMessage("one"));
          const view = (path: string) =>
            Effect.scoped(Effect.flatMap(MailboxReader, (reader) => reader.view(account, path)));
          const search = Effect.flatMap(MessageSearch, (ports) => findIn(ports, account, "Box", {}));
          yield* Effect.all([view("Box"), view("Box"), search], { concurrency: "unbounded" });
          const broken = proxy.connections;
          assert.isAbove(broken, 1);
          let refused = 0;
          proxy.rewrite = {
            command: (line, connection) =>
              connection <= broken && OPENING.test(line) ? (refused++, { answer }) : line,
          };
          const { uidValidity } = yield* view("Box");
          for (let n = 0; n < 6; n++) {
            yield* Effect.all([view("Box"), view("INBOX"), search], { concurrency: "unbounded" });
          }
          yield* (yield* MessageChanges).setFlags(account, { path: "Box", uidValidity }, [uid], { flagged: true });
          yield* Effect.scoped(
            Effect.gen(function* () {
              const inbox = yield* (yield* InboxWatch).open(account, "watch");
              const { cursor } = yield* inbox.poll(null);
              yield* control.append(account, "INBOX", plainMessage("new"));
              yield* inbox.changed;
              assert.lengthOf((yield* inbox.poll(cursor)).arrived, 1);
            }),
          );
          yield* (yield* MailboxTree).list(account);
          assert.isAtMost(refused, broken);
          assert.isAbove(refused, 0);
        }),
      );

      it.effect("fail the call after two attempts if the new session is refused too", () =>
        Effect.gen(function* () {
          const proxy = yield* Proxy;
          const { account } = yield* signedInAccount;
          const view = Effect.scoped((yield* MailboxReader).view(account, "Trash"));
          yield* view;
          let refused = 0;
          proxy.rewrite = { command: (line) => (OPENING.test(line) ? (refused++, { answer }) : line) };
          assert.match(yield* failureOf(view), /^MailServerError (?:busy|protocol)$/);
          assert.strictEqual(refused, 2);
          proxy.rewrite = {};
          yield* view;
        }),
      );
    });
  }
});
