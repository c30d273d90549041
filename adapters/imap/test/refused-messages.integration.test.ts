import { assert, it, layer } from "@effect/vitest";
import { MailboxReader, MessageChanges, MessageSearch } from "@postern/core/messages";
import { InboxWatch } from "@postern/core/watch";
import { describeWithDovecot, findIn, MailServerControl, plainMessage, signedInAccount } from "@postern/testkit";
import { Effect } from "effect";
import { failureOf } from "./failure-of.ts";
import { imapLike } from "./imap-like.ts";
import { imapThroughProxy, Proxy } from "./imap-through-proxy.ts";
import { JANE, list, scripted, view } from "./scripted-account.ts";

const MESSAGES = 40;
const REFUSED = 17;

const uidsOf = (messages: ReadonlyArray<{ readonly uid: number }>) => messages.map(({ uid }) => uid);

/** Returns whether a FETCH with ENVELOPE names this message; UIDs and positions are the same here. */
const describes = (line: string, uid: number): boolean => {
  const [, set] = /FETCH (\S+) \(.*ENVELOPE/.exec(line) ?? [];
  return (set ?? "").split(",").some((range) => {
    const [first, last = first] = range.split(":").map(Number);
    return first! <= uid && uid <= last!;
  });
};

describeWithDovecot("Yahoo, which refuses to describe a message", () => {
  layer(imapThroughProxy(), { excludeTestServices: true })("(node-imap#737)", (it) => {
    it.effect(
      "lists, finds and announces the other messages in full, and the unreadable one with its other properties",
      () =>
        Effect.gen(function* () {
          const { account } = yield* signedInAccount;
          const control = yield* MailServerControl;
          const proxy = yield* Proxy;
          for (let n = 1; n <= MESSAGES; n++) yield* control.append(account, "INBOX", plainMessage(`m${n}`));
          proxy.rewrite = {
            command: (line) =>
              describes(line, REFUSED)
                ? { answer: "NO [UNAVAILABLE] UID FETCH Server error - Please try again" }
                : line,
          };
          const expected = Array.from({ length: MESSAGES }, (_, n) => (n + 1 === REFUSED ? "" : `m${n + 1}`));
          const { listed, uidValidity } = yield* Effect.scoped(
            Effect.flatMap((yield* MailboxReader).view(account, "INBOX"), ({ messages, uidValidity }) =>
              Effect.map(messages(1, MESSAGES), (listed) => ({ listed, uidValidity })),
            ),
          );
          assert.deepStrictEqual(
            listed.map(({ subject }) => subject),
            expected,
          );
          const asked = [{ path: "INBOX", uidValidity, uids: [16, 17, 18] }];
          const [found] = yield* (yield* MessageSearch).summaries(account, asked);
          assert.deepStrictEqual(
            found?.map(({ subject }) => subject),
            ["m16", "", "m18"],
          );
          const inbox = yield* (yield* InboxWatch).open(account, "watch");
          const { arrived } = yield* inbox.poll({ uidValidity, uidNext: 10, highestModSeq: null });
          assert.deepStrictEqual(
            arrived.map(({ summary }) => summary?.subject ?? ""),
            expected.slice(9),
          );
          const fetches = proxy.commands.filter((line) => /FETCH/.test(line)).length;
          assert.isAtMost(fetches, 3 * (2 * Math.ceil(Math.log2(MESSAGES)) + 3));
        }).pipe(Effect.scoped),
    );
  });

  layer(imapLike("exmail"), { excludeTestServices: true })("Tencent Exmail, which refuses descending sets", (it) => {
    it.effect("changes messages given in any order", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        for (let n = 1; n <= 4; n++) yield* control.append(account, "INBOX", plainMessage(`m${n}`));
        const { uidValidity } = yield* Effect.scoped((yield* MailboxReader).view(account, "INBOX"));
        const place = { path: "INBOX", uidValidity };
        const changes = yield* MessageChanges;
        assert.sameMembers([...(yield* changes.setFlags(account, place, [4, 1], { flagged: true }))], [1, 4]);
        const [found] = yield* (yield* MessageSearch).summaries(account, [{ ...place, uids: [4, 1] }]);
        assert.sameMembers(uidsOf(found!), [1, 4]);
      }),
    );
  });
});

/** The answers of an INBOX with this number of messages. */
const withMessages = (count: number, answer: (command: string) => ReadonlyArray<string> | undefined) => ({
  answer: (command: string) => {
    const said = answer(command);
    if (said !== undefined) return said;
    if (/^(?:SELECT|EXAMINE)/.test(command)) return [`${count} EXISTS`, "OK [UIDVALIDITY 7] valid", "OK selected"];
    return command.startsWith("STATUS")
      ? [`STATUS INBOX (MESSAGES ${count} UNSEEN ${count} UIDNEXT ${count + 1} UIDVALIDITY 7)`, "OK"]
      : undefined;
  },
});

const THROTTLED: ReadonlyArray<string> = [
  "BAD Request is throttled. Suggested Backoff Time: 92415 milliseconds",
  "NO [THROTTLED] Rate limit hit",
  "NO [LIMIT] Too many requests",
  "NO Account exceeded command or bandwidth limits. (Failure)",
  "NO [OVERQUOTA] Account exceeded command or bandwidth limits. (Failure)",
];
for (const said of THROTTLED) {
  it.live(`reports busy at once, without repeating the command, if the server answers "${said}"`, () =>
    Effect.gen(function* () {
      let isThrottled = true;
      const { server, ports } = yield* scripted(
        withMessages(0, (command) => (isThrottled && command.startsWith('LIST "" "*"') ? [said] : undefined)),
      );
      yield* Effect.gen(function* () {
        yield* view;
        const connections = server.mostOpen;
        assert.strictEqual(yield* Effect.timeout(failureOf(list), "5 seconds"), "MailServerError busy");
        const asked = server.commands.filter((command) => command.startsWith('LIST "" "*"'));
        assert.lengthOf(asked, 1);
        assert.strictEqual(server.mostOpen, connections, "on the same connection");
        isThrottled = false;
        assert.lengthOf(yield* list, 1);
      }).pipe(Effect.provide(ports));
    }),
  );
}

it.live("skips a message that SEARCH finds and FETCH does not return (Microsoft 365)", () =>
  Effect.gen(function* () {
    const row = (uid: number) =>
      `${uid} FETCH (UID ${uid} FLAGS () RFC822.SIZE 9 INTERNALDATE "01-Jan-2025 00:00:00 +0000" ENVELOPE NIL BODYSTRUCTURE NIL)`;
    const { ports } = yield* scripted(
      withMessages(3, (command) => {
        if (command.startsWith("UID SEARCH")) return ["SEARCH 1 2 3", "OK"];
        if (command.startsWith("UID FETCH 2 ")) return ["OK"];
        return command.startsWith("UID FETCH 1:3 ") ? [row(1), row(3), "OK"] : undefined;
      }),
    );
    const found = yield* Effect.gen(function* () {
      const search = yield* MessageSearch;
      const { uids, uidValidity } = (yield* findIn(search, JANE, "INBOX", { unread: true }))!;
      assert.deepStrictEqual(uids, [1, 2, 3]);
      return yield* search.summaries(JANE, [{ path: "INBOX", uidValidity, uids }]);
    }).pipe(Effect.provide(ports));
    assert.deepStrictEqual(uidsOf(found[0]!), [1, 3]);
  }),
);
