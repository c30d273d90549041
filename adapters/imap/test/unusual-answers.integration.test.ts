import { assert, it, layer } from "@effect/vitest";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader, MessageChanges } from "@postern/core/messages";
import { SentFolder } from "@postern/core/send";
import { InboxWatch } from "@postern/core/watch";
import {
  describeWithDovecot,
  type ImapRewrite,
  MailServerControl,
  plainMessage,
  signedInAccount,
} from "@postern/testkit";
import { Effect, Stream } from "effect";
import { imapLike } from "./imap-like.ts";
import { imapThroughProxy, Proxy } from "./imap-through-proxy.ts";
import { JANE, list, scripted, signIn, view } from "./scripted-account.ts";

/** The prefix and delimiter of each listed path. */
type Listed = Readonly<Record<string, [prefix: string, delimiter: string | null]>>;

const NAMESPACES: ReadonlyArray<readonly [said: string, rows: ReadonlyArray<string>, Listed]> = [
  [
    '(("INBOX." ".")) NIL NIL',
    ['LIST () "." INBOX', 'LIST () "." INBOX.Sent'],
    { INBOX: ["INBOX.", "."], "INBOX.Sent": ["INBOX.", "."] },
  ],
  [
    '(("" "/")("#mh/" "/")) (("~" "/")) NIL',
    ['LIST () "/" INBOX', 'LIST () "/" "#mh/x"', 'LIST () "/" "~jack/y"'],
    { INBOX: ["", "/"], "#mh/x": ["#mh/", "/"], "~jack/y": ["", "/"] },
  ],
  ['(("" NIL)) NIL NIL', ["LIST () NIL INBOX", 'LIST () NIL "Box/1"'], { INBOX: ["", null], "Box/1": ["", null] }],
  ["NIL NIL NIL", ['LIST () "/" INBOX', 'LIST () "/" Box'], { INBOX: ["", "/"], Box: ["", "/"] }],
  ['(("" NIL)) NIL NIL', ["LIST () NIL INBOX", "LIST () NIL A.B"], { INBOX: ["", null], "A.B": ["", null] }],
  [
    '(("" "\\\\")) NIL NIL',
    ['LIST () "\\\\" INBOX', 'LIST () "\\\\" "A\\\\B"'],
    { INBOX: ["", "\\"], "A\\B": ["", "\\"] },
  ],
  [
    '(("" "/")) NIL NIL',
    ['LIST () "/" INBOX', 'LIST () "/" "/lead"', 'LIST () "/" "a%2Fb"', 'LIST () "/" "R&-D"', 'LIST () "/" "e&AwE-"'],
    { INBOX: ["", "/"], lead: ["", "/"], "a%2Fb": ["", "/"], "R&D": ["", "/"], "e\u0301": ["", "/"] },
  ],
];
for (const [said, rows, expected] of NAMESPACES) {
  it.live(`lists the names of a server with the namespaces ${said} unchanged, except for a leading delimiter`, () =>
    Effect.gen(function* () {
      const { server, ports } = yield* scripted({
        capabilities: "IMAP4rev1 NAMESPACE",
        answer: (command) => {
          if (command === "NAMESPACE") return [`NAMESPACE ${said}`, "OK"];
          if (command.startsWith("LSUB")) return ["BAD unknown command"];
          return command.startsWith('LIST "" "*"') ? [...rows, "OK"] : undefined;
        },
      });
      const listed = yield* Effect.provide(list, ports);
      assert.deepStrictEqual(
        Object.fromEntries(listed.map(({ path, prefix, delimiter }) => [path, [prefix, delimiter] as const])) as Listed,
        expected,
      );
      assert.isFalse(server.commands.some((command) => command.startsWith("LSUB")));
    }),
  );
}

it.live("uses a mailbox whose UIDVALIDITY is 0 and whose SELECT lacks UIDNEXT (Winmail)", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      answer: (command) => {
        if (/^(?:SELECT|EXAMINE)/.test(command)) return ["0 EXISTS", "OK [UIDVALIDITY 0] valid", "OK selected"];
        return command.startsWith("STATUS")
          ? ["STATUS INBOX (MESSAGES 0 UNSEEN 0 UIDNEXT 1 UIDVALIDITY 0)", "OK"]
          : undefined;
      },
    });
    yield* Effect.gen(function* () {
      assert.deepInclude(yield* signIn, { uidValidity: 0, uidNext: 1 });
      assert.deepInclude(yield* view, { uidValidity: 0, total: 0 });
      const inbox = yield* Effect.flatMap(InboxWatch, (watch) => watch.open(JANE, "watch"));
      const { cursor } = yield* inbox.poll(null);
      assert.deepInclude(yield* inbox.poll(cursor), { cursor, arrived: [] });
    }).pipe(Effect.scoped, Effect.provide(ports));
  }),
);

it.live("sends ID before it opens a mailbox, without which 163 refuses all", () =>
  Effect.gen(function* () {
    let isNamed = false;
    const { ports } = yield* scripted({
      capabilities: "IMAP4rev1 ID",
      answer: (command) => {
        isNamed ||= command.startsWith("ID ");
        return !isNamed && /^(?:SELECT|EXAMINE|STATUS)/.test(command) ? ["NO Unsafe Login"] : undefined;
      },
    });
    yield* Effect.provide(view, ports);
  }),
);

it.live("has no conversation for a message whose THREADID is NIL", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      capabilities: "IMAP4rev1 OBJECTID",
      answer: (command) => {
        if (/^(?:SELECT|EXAMINE)/.test(command)) return ["1 EXISTS", "OK [UIDVALIDITY 7] valid", "OK selected"];
        const row = '1 FETCH (UID 1 FLAGS () RFC822.SIZE 9 INTERNALDATE "01-Jan-2025 00:00:00 +0000" THREADID NIL)';
        return command.startsWith("FETCH") ? [row, "OK"] : undefined;
      },
    });
    const listed = yield* Effect.scoped(
      Effect.flatMap(MailboxReader, (reader) =>
        Effect.flatMap(reader.view(JANE, "INBOX"), ({ messages }) => messages(1, 1)),
      ),
    ).pipe(Effect.provide(ports));
    assert.deepStrictEqual(
      listed.map(({ uid, threadId }) => [uid, threadId]),
      [[1, null]],
    );
  }),
);

/** Refuses the second LIST of each connection; `listed` gets the connections that sent their first LIST. */
const refusingSecondList = (answer: string, listed = new Set<number>()): ImapRewrite => ({
  command: (line, connection) => {
    if (!/^\S+ LIST "" "\*"/.test(line)) return line;
    return listed.has(connection) ? { answer } : (listed.add(connection), line);
  },
});

describeWithDovecot("answers with NUL bytes, empty lists and continuations without text", () => {
  const unusual = (line: string): string => {
    if (line.startsWith("+")) return "+\r\n";
    return /^\* (?:STATUS|LIST|FLAGS)|^\w+ OK/.test(line) ? `\0\0* STATUS "Other" ()\r\n\0${line}` : line;
  };
  layer(imapThroughProxy({ response: unusual }), { excludeTestServices: true })("from a Dovecot", (it) => {
    it.effect("are understood by listings, copies, moves and a watch", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const uid = yield* control.append(account, "INBOX", plainMessage("one"));
        const listed = yield* (yield* MailboxTree).list(account);
        assert.includeMembers(
          listed.map(({ path }) => path),
          ["INBOX", "Sent", "Trash"],
        );
        const { uidValidity } = yield* Effect.scoped((yield* MailboxReader).view(account, "INBOX"));
        const moved = yield* (yield* MessageChanges).move(account, { path: "INBOX", uidValidity }, [uid], "Trash");
        assert.strictEqual(moved[0]?.to?.uid, 1);
        const copy = Stream.make(new TextEncoder().encode("Message-ID: <s@x>\r\n\r\nSent"));
        yield* (yield* SentFolder).keep(account, "<s@x>", copy, 0);
        const inbox = yield* (yield* InboxWatch).open(account, "watch");
        const { cursor } = yield* inbox.poll(null);
        yield* control.append(account, "INBOX", plainMessage("two"));
        yield* inbox.changed;
        assert.lengthOf((yield* inbox.poll(cursor)).arrived, 1);
      }).pipe(Effect.scoped),
    );
  });

  layer(imapLike("lark"), { excludeTestServices: true })("from Lark, whose ENVELOPE lacks addresses", (it) => {
    it.effect("are listed and announced without a sender", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* (yield* MailServerControl).append(account, "INBOX", plainMessage("one"));
        const listed = yield* Effect.scoped(
          Effect.flatMap((yield* MailboxReader).view(account, "INBOX"), ({ messages }) => messages(1, 1)),
        );
        assert.deepStrictEqual(
          listed.map(({ subject, from }) => [subject, from]),
          [["one", null]],
        );
        const inbox = yield* (yield* InboxWatch).open(account, "watch");
        const { cursor } = yield* inbox.poll(null);
        const { arrived } = yield* inbox.poll({ ...cursor, uidNext: 1, highestModSeq: null });
        assert.deepInclude(arrived[0]?.summary, { subject: "one", from: null });
      }).pipe(Effect.scoped),
    );
  });

  layer(imapThroughProxy(), { excludeTestServices: true })(
    "from Lark, which refuses a session its second LIST",
    (it) => {
      for (const answer of ["NO LIST refused", "BAD too many LIST"])
        it.effect(`list the folders each time: ${answer}`, () =>
          Effect.gen(function* () {
            const { account } = yield* signedInAccount;
            const proxy = yield* Proxy;
            const listed = new Set<number>();
            proxy.rewrite = refusingSecondList(answer, listed);
            for (const _ of [1, 2, 3]) {
              const paths = (yield* (yield* MailboxTree).list(account)).map(({ path }) => path);
              assert.includeMembers(paths, ["INBOX", "Sent"]);
            }
            assert.isAbove(listed.size, 1);
          }),
        );

      it.effect("list the folders for a watch on another connection, and leave the watch its own", () =>
        Effect.gen(function* () {
          const { account } = yield* signedInAccount;
          const proxy = yield* Proxy;
          proxy.rewrite = refusingSecondList("NO LIST refused");
          const inbox = yield* (yield* InboxWatch).open(account, "watch");
          const { cursor } = yield* inbox.poll(null);
          for (const _ of [1, 2, 3])
            assert.includeMembers(
              (yield* inbox.folders([])).map(({ path }) => path),
              ["INBOX", "Sent"],
            );
          assert.strictEqual((yield* inbox.poll(cursor)).cursor.uidValidity, cursor.uidValidity);
        }).pipe(Effect.scoped),
      );
    },
  );

  layer(imapLike("yahoo"), { excludeTestServices: true })("from Yahoo, which has UIDONLY", (it) => {
    it.effect("never make Postern enable it", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* Effect.scoped((yield* MailboxReader).view(account, "INBOX"));
        yield* Effect.scoped((yield* InboxWatch).open(account, "watch"));
        const enabled = (yield* Proxy).commands.filter((line) => /^\S+ ENABLE/.test(line));
        assert.isNotEmpty(enabled);
        for (const line of enabled) assert.notInclude(line, "UIDONLY");
      }),
    );
  });
});
