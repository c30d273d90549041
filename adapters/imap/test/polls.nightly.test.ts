import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { MailLogin } from "@postern/core/auth";
import { MailboxReader } from "@postern/core/messages";
import { type InboxPoll, InboxWatch } from "@postern/core/watch";
import {
  describeWithDovecot,
  Dovecot,
  MailServerControl,
  plainMessage,
  quirkRewrite,
  signedInAccount,
} from "@postern/testkit";
import { Effect } from "effect";
import { imapLike } from "./imap-like.ts";
import { imapThroughProxy, Proxy } from "./imap-through-proxy.ts";

/** The number of messages of a large INBOX. In an earlier version, each poll transferred about 45 bytes per message. */
const MANY = 1_200;

/** The number of messages of a folder that a server with MESSAGELIMIT shows. */
const VISIBLE = 3;

/** The number of changes in a day within Gmail's limits when each change transferred the flags of 100,000 messages. */
const DAY_OF_CHANGES = 550;

/** A watched INBOX with some messages, after its first poll; `poll` returns changes and the transferred bytes. */
const watched = Effect.fnUntraced(function* (messages: number) {
  const { account } = yield* signedInAccount;
  const control = yield* MailServerControl;
  const proxy = yield* Proxy;
  const raws = Array.from({ length: messages }, (_, n) => ({ raw: plainMessage(`m${n}`), arrivedAt: n }));
  yield* (yield* Dovecot).deliver(account, "INBOX", raws);
  const inbox = yield* (yield* InboxWatch).open(account, "watch");
  let cursor = (yield* inbox.poll(null)).cursor;
  const poll = Effect.gen(function* () {
    const before = proxy.bytes;
    const found = yield* inbox.poll(cursor);
    cursor = found.cursor;
    const bytes = proxy.bytes - before;
    yield* Effect.timeoutOption(inbox.changed, 1);
    return { ...found, vanished: vanishedIn(found), bytes };
  });
  const first = yield* poll;
  return { account, control, proxy, inbox, poll, first };
});

/** Returns the vanished messages of a poll; undefined if the poll lists the present messages instead. */
const vanishedIn = (poll: InboxPoll) => (poll.present === undefined ? poll.vanished : undefined);

const uidsOf = (messages: ReadonlyArray<{ readonly uid: number }>) => messages.map(({ uid }) => uid);

describeWithDovecot("polls of INBOX", () => {
  layer(imapLike("cyrus-after-upgrade"), { excludeTestServices: true })("of a Cyrus after an upgrade", (it) => {
    it.effect("return only messages as vanished that are gone", () =>
      Effect.gen(function* () {
        const { account, control, poll } = yield* watched(5);
        yield* control.setFlags(account, "INBOX", 2, ["\\Flagged"]);
        const flagged = yield* poll;
        assert.deepStrictEqual([flagged.vanished, uidsOf(flagged.flags)], [[], [2]]);
        yield* control.expunge(account, "INBOX", [4]);
        assert.deepStrictEqual([...new Set((yield* poll).vanished)], [4]);
      }).pipe(Effect.scoped),
    );
  });

  layer(imapLike("cyrus-murder"), { excludeTestServices: true })("of a Cyrus behind a murder frontend", (it) => {
    it.effect("work without VANISHED", () =>
      Effect.gen(function* () {
        const { account, control, poll } = yield* watched(5);
        yield* control.setFlags(account, "INBOX", 2, ["\\Flagged"]);
        yield* control.expunge(account, "INBOX", [4]);
        const { present, flags } = yield* poll;
        assert.deepStrictEqual(present, [
          [1, 3],
          [5, 5],
        ]);
        assert.include(uidsOf(flags), 2);
        yield* control.expunge(account, "INBOX", [5]);
        assert.deepStrictEqual((yield* poll).vanished, [5]);
      }).pipe(Effect.scoped),
    );
  });

  layer(imapLike("gmail"), { excludeTestServices: true })("of Gmail, without QRESYNC", (it) => {
    it.effect(`cost little in an INBOX of ${MANY} messages`, () =>
      Effect.gen(function* () {
        const { account, control, poll } = yield* watched(MANY);
        assert.isAtMost((yield* poll).bytes, 1_024, "nothing changed");
        yield* control.setFlags(account, "INBOX", 17, ["\\Flagged"]);
        const flagged = yield* poll;
        assert.deepStrictEqual([uidsOf(flagged.flags), flagged.vanished], [[17], []]);
        assert.isAtMost(flagged.bytes, 8_192, "one flag changed");
        yield* control.expunge(account, "INBOX", [40]);
        const expunged = yield* poll;
        assert.deepStrictEqual(expunged.vanished, [40]);
        const uid = yield* control.append(account, "INBOX", plainMessage("new"));
        const arrival = yield* poll;
        assert.deepStrictEqual([uidsOf(arrival.arrived), arrival.vanished], [[uid], []]);
        const changes = flagged.bytes + expunged.bytes + arrival.bytes;
        assert.isAtMost((changes / 3) * DAY_OF_CHANGES, 50_000_000, "a day of changes");
      }).pipe(Effect.scoped),
    );
  });

  layer(imapLike("outlook"), { excludeTestServices: true })("of Microsoft 365, without CONDSTORE", (it) => {
    it.effect(`cost little in an INBOX of ${MANY} messages, and find announced flags`, () =>
      Effect.gen(function* () {
        const { account, control, proxy, poll, first } = yield* watched(MANY);
        const searched = 5 * MANY;
        assert.isAtMost(first.bytes, searched + 32_768, "one sweep of flags");
        const statuses = () => proxy.commands.filter((line) => /^\S+ STATUS/.test(line)).length;
        const before = statuses();
        assert.isAtMost((yield* poll).bytes, 1_024, "STATUS shows no change");
        assert.strictEqual(statuses() - before, 1, "one round trip, however many folders there are");
        yield* control.setFlags(account, "INBOX", 17, ["\\Flagged"]);
        const flagged = yield* poll;
        assert.deepStrictEqual(uidsOf(flagged.flags), [17]);
        assert.isAtMost(flagged.bytes, 1_024);
        yield* control.expunge(account, "INBOX", [40, 90, 91]);
        const expunged = yield* poll;
        assert.deepStrictEqual(expunged.vanished, [40, 90, 91]);
        assert.isAtMost(expunged.bytes, 1_024, "the announced removals were looked up");
        assert.strictEqual(proxy.commands.filter((line) => /FETCH 1:\*/.test(line)).length, 0);
      }).pipe(Effect.scoped),
    );

    it.effect("returns changes again until the caller waits for the next", () =>
      Effect.gen(function* () {
        const { account, control, inbox } = yield* watched(5);
        const { cursor } = yield* inbox.poll(null);
        yield* control.expunge(account, "INBOX", [4]);
        for (const _ of ["dropped", "again"]) assert.deepStrictEqual(vanishedIn(yield* inbox.poll(cursor)), [4]);
        yield* Effect.timeoutOption(inbox.changed, 1);
        assert.deepStrictEqual(vanishedIn(yield* inbox.poll(cursor)), []);
      }).pipe(Effect.scoped),
    );
  });

  const numberedWrong = quirkRewrite([
    { kind: "removes", capabilities: ["QRESYNC"], evidence: "imapsync/imapsync#119" },
    {
      kind: "rewrites response",
      response: /^\* (\d+) EXPUNGE/,
      to: (_, seq) => `* ${Number(seq) + 1} EXPUNGE`,
      evidence: "imapsync/imapsync#119",
    },
  ]);
  layer(imapThroughProxy(numberedWrong), { excludeTestServices: true })(
    "of Yahoo, whose EXPUNGE is numbered wrong",
    (it) => {
      it.effect("return only messages as vanished that are gone", () =>
        Effect.gen(function* () {
          const { account, control, poll } = yield* watched(9);
          yield* control.expunge(account, "INBOX", [4, 6]);
          assert.deepStrictEqual((yield* poll).vanished, [4, 6]);
        }).pipe(Effect.scoped),
      );
    },
  );

  layer(imapLike("163"), { excludeTestServices: true })("of 163, whose STATUS lacks UIDNEXT", (it) => {
    it.effect("have a cursor behind every message, and find arrivals", () =>
      Effect.gen(function* () {
        const { account, credential } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const signedIn = (yield* MailLogin).verify(account, credential);
        assert.strictEqual((yield* signedIn).uidNext, 1);
        const uids = [1, 2, 3].map((n) => control.append(account, "INBOX", plainMessage(`m${n}`)));
        for (const append of uids) yield* append;
        yield* control.expunge(account, "INBOX", [2]);
        assert.strictEqual((yield* signedIn).uidNext, 4);
        const inbox = yield* (yield* InboxWatch).open(account, "watch");
        const { cursor } = yield* inbox.poll(null);
        yield* control.append(account, "INBOX", plainMessage("m4"));
        yield* Effect.timeoutOption(inbox.changed, 1);
        assert.deepStrictEqual(uidsOf((yield* inbox.poll(cursor)).arrived), [4]);
      }).pipe(Effect.scoped),
    );
  });

  const newest = (count: string) => `${Math.min(Number(count), VISIBLE)}`;
  const limited = quirkRewrite([
    { kind: "removes", capabilities: ["QRESYNC"], evidence: "RFC 9738" },
    { kind: "adds", capabilities: [`MESSAGELIMIT=${VISIBLE}`], evidence: "RFC 9738" },
    {
      kind: "rewrites response",
      response: /(?<=\b(?:MESSAGES|COUNT) )\d+/g,
      to: (count) => newest(count!),
      evidence: "djc/imap-proto#198",
    },
    {
      kind: "rewrites response",
      response: /(?<=\bALL )1:(\d+)/,
      to: (_, last) => `${Math.max(1, Number(last) - VISIBLE + 1)}:${last}`,
      evidence: "djc/imap-proto#198",
    },
  ]);
  layer(imapThroughProxy(limited), { excludeTestServices: true })("of a server with MESSAGELIMIT, like Yahoo", (it) => {
    it.effect("do not return hidden messages as vanished while newer messages hide them", () =>
      Effect.gen(function* () {
        const { account, control, poll } = yield* watched(VISIBLE);
        const uid = yield* control.append(account, "INBOX", plainMessage("one more"));
        const { arrived, vanished } = yield* poll;
        assert.deepStrictEqual([uidsOf(arrived), vanished], [[uid], []]);
      }).pipe(Effect.scoped),
    );
  });

  layer(imapLike("icloud"), { excludeTestServices: true })("of iCloud, which ignores RETURN", (it) => {
    it.effect("find vanished messages, and listings find their positions", () =>
      Effect.gen(function* () {
        const { account, control, poll } = yield* watched(5);
        yield* control.expunge(account, "INBOX", [2]);
        assert.deepStrictEqual((yield* poll).vanished, [2]);
        assert.strictEqual(yield* positionBelow(account, 5), 3);
      }).pipe(Effect.scoped),
    );
  });
});

const positionBelow = (account: AccountId, uid: number) =>
  Effect.scoped(
    Effect.flatMap(MailboxReader, (reader) =>
      Effect.flatMap(reader.view(account, "INBOX"), (view) => view.positionBelow(uid)),
    ),
  );
