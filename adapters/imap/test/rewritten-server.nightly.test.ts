import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { MailboxChanges, MailboxTree } from "@postern/core/folders";
import { MailboxReader, MessageChanges, MessageReader, MessageSearch } from "@postern/core/messages";
import { SentFolder } from "@postern/core/send";
import {
  describeWithDovecot,
  findIn,
  type ImapRewrite,
  MailServerControl,
  messageChangesContract,
  plainMessage,
  refuseCommands,
  signedInAccount,
  withoutUidPlus,
} from "@postern/testkit";
import { Effect, Stream } from "effect";
import { failureOf } from "./failure-of.ts";
import { imapThroughProxy, Proxy } from "./imap-through-proxy.ts";

/** One message in INBOX, a folder, and operations on them. */
const world = Effect.gen(function* () {
  const { account } = yield* signedInAccount;
  const control = yield* MailServerControl;
  const uid = yield* control.append(account, "INBOX", plainMessage("one"));
  yield* control.createMailbox(account, "Box");
  const view = (yield* MailboxReader).view(account, "INBOX");
  const { uidValidity } = yield* Effect.scoped(view);
  const inbox = { path: "INBOX", uidValidity };
  const changes = yield* MessageChanges;
  const mailboxes = yield* MailboxChanges;
  const search = yield* MessageSearch;
  const list = (id: AccountId) => Effect.flatMap(MailboxTree, (tree) => tree.list(id));
  const copy = Stream.make(new TextEncoder().encode("Message-ID: <s@x>\r\n\r\nSent"));
  return {
    list: list(account),
    view: Effect.scoped(Effect.flatMap(view, ({ total, messages }) => messages(1, total))),
    viewBox: Effect.scoped((yield* MailboxReader).view(account, "Box")),
    read: Effect.scoped((yield* MessageReader).open(account, { ...inbox, uid })),
    find: findIn(search, account, "INBOX", { subject: "one" }),
    flag: changes.setFlags(account, inbox, [uid], { flagged: true }),
    move: changes.move(account, inbox, [uid], "Box"),
    destroy: changes.destroy(account, inbox, [uid]),
    create: mailboxes.create(account, "New"),
    rename: mailboxes.rename(account, "Box", "Case"),
    remove: mailboxes.remove(account, "Box"),
    keep: (yield* SentFolder).keep(account, "<s@x>", copy, 0),
  };
});

type Operation = keyof Effect.Success<typeof world>;

/** Failures of operations when the server refuses one of their commands. */
const REFUSALS: ReadonlyArray<readonly [command: string, answer: string, Operation, failure: string]> = [
  ["UID STORE", "NO [NOPERM] not yours", "flag", "not_permitted"],
  ["UID STORE", "NO Permission denied", "flag", "not_permitted"],
  ["UID MOVE", "NO [NOPERM] not yours", "move", "not_permitted"],
  ["UID STORE", "NO [NOPERM] not yours", "destroy", "not_permitted"],
  ["UID EXPUNGE", "NO [NOPERM] not yours", "destroy", "not_permitted"],
  ["CREATE", "NO [NOPERM] not yours", "create", "not_permitted"],
  ["RENAME", "NO [NOPERM] not yours", "rename", "not_permitted"],
  ["DELETE", "NO [NOPERM] not yours", "remove", "not_permitted"],
  ["APPEND", "NO [NOPERM] not yours", "keep", "not_permitted"],
  ["SELECT", "NO [NOPERM] not yours", "viewBox", "not_permitted"],
  ["UID FETCH", "NO [NOPERM] not yours", "read", "not_permitted"],
  ["UID SEARCH", "NO [NOPERM] not yours", "find", "not_permitted"],
  ["LIST", "NO [NOPERM] not yours", "list", "not_permitted"],
  ["UID MOVE", "NO [OVERQUOTA] no room", "move", "over_quota"],
  ["UID MOVE", "NO Over quota", "move", "over_quota"],
  ["APPEND", "NO [OVERQUOTA] no room", "keep", "over_quota"],
  ["CREATE", "NO [OVERQUOTA] no room", "create", "over_quota"],
  ["FETCH", "NO [OVERQUOTA] bandwidth used up", "view", "busy"],
  ["FETCH", "NO [UNAVAILABLE] later", "view", "busy"],
  ["UID FETCH", "NO [UNAVAILABLE] later", "read", "busy"],
  ["STATUS", "NO [UNAVAILABLE] later", "view", "busy"],
  ["SELECT", "NO [SERVERBUG] later", "viewBox", "busy"],
  ["UID SEARCH", "NO [UNAVAILABLE] later", "find", "busy"],
  ["UID MOVE", "NO [INUSE] later", "move", "busy"],
  ["CREATE", "NO [LIMIT] later", "create", "busy"],
  ["FETCH", "NO [CANNOT] never", "view", "protocol"],
  ["UID SEARCH", "BAD what", "find", "protocol"],
];

describeWithDovecot("a rewritten Dovecot", () => {
  messageChangesContract("without UIDPLUS", imapThroughProxy(withoutUidPlus));
  messageChangesContract(
    "without UIDPLUS and MOVE",
    imapThroughProxy(withoutUidPlus, { capabilities: "IMAP4rev1 LITERAL+ NAMESPACE SPECIAL-USE" }),
  );

  layer(imapThroughProxy(), { excludeTestServices: true })("that refuses", (it) => {
    for (const [command, answer, operation, failure] of REFUSALS) {
      it.effect(`${command} with "${answer}": ${operation} fails with ${failure}`, () =>
        Effect.gen(function* () {
          const proxy = yield* Proxy;
          const operations = yield* world;
          yield* operations.view;
          proxy.rewrite = refuseCommands(new RegExp(`^\\S+ ${command}\\b`), answer);
          const said = yield* Effect.ensuring(
            failureOf(operations[operation] as Effect.Effect<unknown, { readonly _tag: string }>),
            Effect.sync(() => (proxy.rewrite = {})),
          );
          assert.strictEqual(said, `MailServerError ${failure}`);
        }),
      );
    }

    it.effect("COPYUID although it has UIDPLUS: the message is moved, its place unknown [S5.3-5]", () =>
      Effect.gen(function* () {
        const proxy = yield* Proxy;
        const operations = yield* world;
        const { response } = withoutUidPlus;
        const rewrite: ImapRewrite = {
          response: (line, connection) => (line.includes("CAPABILITY") ? line : response!(line, connection)),
        };
        proxy.rewrite = rewrite;
        const moved = yield* Effect.ensuring(
          operations.move,
          Effect.sync(() => (proxy.rewrite = {})),
        );
        assert.deepStrictEqual(
          moved.map(({ to }) => to),
          [null],
        );
      }),
    );
  });
});

const KEPT_FLAGS: ReadonlyArray<
  readonly [what: string, rewrite: (line: string) => string, flag: string, seen: string]
> = [
  ["READ-ONLY", (line) => line.replace("[READ-WRITE]", "[READ-ONLY]"), "not_permitted", "not_permitted"],
  [
    "PERMANENTFLAGS ()",
    (line) => line.replace(/PERMANENTFLAGS \(.*\)/, "PERMANENTFLAGS ()"),
    "not_permitted",
    "not_permitted",
  ],
  [
    "PERMANENTFLAGS (\\Seen)",
    (line) => line.replace(/PERMANENTFLAGS \(.*\)/, "PERMANENTFLAGS (\\Seen)"),
    "not_permitted",
    "done",
  ],
  ["no PERMANENTFLAGS", (line) => (line.includes("PERMANENTFLAGS") ? "" : line), "done", "done"],
];

describeWithDovecot("a Dovecot that reports for a folder", () => {
  for (const [what, response, flagged, seen] of KEPT_FLAGS) {
    layer(imapThroughProxy({ response }), { excludeTestServices: true })(what, (it) => {
      it.effect(`flagging is ${flagged}, marking as read ${seen}`, () =>
        Effect.gen(function* () {
          const { account } = yield* signedInAccount;
          const uid = yield* (yield* MailServerControl).append(account, "INBOX", plainMessage("one"));
          const { uidValidity } = yield* Effect.scoped((yield* MailboxReader).view(account, "INBOX"));
          const changes = yield* MessageChanges;
          const place = { path: "INBOX", uidValidity };
          for (const [change, wanted] of [
            [{ flagged: true }, flagged],
            [{ unread: false }, seen],
          ] as const) {
            const result = yield* Effect.result(changes.setFlags(account, place, [uid], change));
            const said = result._tag === "Success" ? "done" : "reason" in result.failure ? result.failure.reason : "";
            assert.strictEqual(said, wanted);
          }
        }),
      );
    });
  }
});
