import { assert, it } from "@effect/vitest";
import { MailboxReader } from "@postern/core/messages";
import { type InboxPoll, InboxWatch } from "@postern/core/watch";
import { layer as imap } from "@postern/imap";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  faultyLine,
  imapProxy,
  type ImapRewrite,
  mailServersAt,
  MailServerControl,
  plainMessage,
  profileOf,
  quirkRewrite,
  signedInAccount,
} from "@postern/testkit";
import { Effect, Fiber, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";

/** Milliseconds of silence after which a watch sends a NOOP. It waits half this time for the answer. */
const KEEPALIVE = 1_000;

/** Much longer than a watch needs, and much shorter than the connection would stay open. */
const WITHIN = "20 seconds";

const uidsOf = (messages: ReadonlyArray<{ readonly uid: number }>) => messages.map(({ uid }) => uid);
const vanishedIn = (poll: InboxPoll) => (poll.present === undefined ? poll.vanished : undefined);

/** A watch that waits for changes over a faulty line, with the messages 1 and 2. */
const watching = Effect.fnUntraced(function* (profile: string) {
  const { port } = yield* Dovecot;
  const line = yield* faultyLine((yield* imapProxy(port, quirkRewrite(profileOf(profile).quirks))).port);
  const timeouts = { keepalive: KEEPALIVE };
  const ports = yield* Layer.build(
    imap({ timeouts }).pipe(
      Layer.provide(mailServersAt({ host: "127.0.0.1", port: line.port })),
      Layer.provideMerge(vaultInMemory),
    ),
  );
  return yield* Effect.gen(function* () {
    const { account } = yield* signedInAccount;
    const control = yield* MailServerControl;
    for (const subject of ["one", "two"]) yield* control.append(account, "INBOX", plainMessage(subject));
    const watch = yield* InboxWatch;
    return { account, control, line, open: watch.open(account, "watch") };
  }).pipe(Effect.provide(ports));
});

describeWithDovecot("a watch whose server vanishes without closing the connection", () => {
  for (const profile of ["stalwart", "gmail", "outlook"])
    for (const kind of ["silence", "bye and silence"] as const)
      it.live(`notices ${kind} during IDLE as ${profile}; the next connection loses and repeats no change`, () =>
        Effect.gen(function* () {
          const { account, control, line, open } = yield* watching(profile);
          const cursor = yield* Effect.scoped(
            Effect.gen(function* () {
              const inbox = yield* open;
              const { cursor } = yield* inbox.poll((yield* inbox.poll(null)).cursor);
              const waiting = yield* Effect.forkChild(Effect.flip(inbox.changed), { startImmediately: true });
              // The NOOP ends the IDLE, so the next byte belongs to its answer or to a change.
              line.arm({ kind, after: 0 });
              yield* control.append(account, "INBOX", plainMessage("unheard"));
              yield* control.expunge(account, "INBOX", [1]);
              const lost = yield* Effect.timeout(Fiber.join(waiting), WITHIN);
              assert.deepInclude(lost, { _tag: "MailServerError" });
              return cursor;
            }),
          );
          yield* Effect.scoped(
            Effect.gen(function* () {
              const inbox = yield* open;
              const found = yield* inbox.poll(cursor);
              assert.deepStrictEqual(uidsOf(found.arrived), [3]);
              if (found.present === undefined) assert.deepStrictEqual(found.vanished, [1]);
              else assert.deepStrictEqual(found.present, [[2, 3]]);
              yield* Effect.timeoutOption(inbox.changed, 1);
              const again = yield* inbox.poll(found.cursor);
              assert.deepStrictEqual([uidsOf(again.arrived), vanishedIn(again)], [[], []]);
            }),
          );
        }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(dovecotControl, Dovecot.layer()))),
      );
});

/** Changes the answers of a server so that a session sees INBOX only in the state of its SELECT (EmailEngine on Naver). */
const untilSelected = (): ImapRewrite => {
  const seen = new Map<number, { exists: string; uidNext: string }>();
  const selecting = new Map<number, string>();
  return {
    command: (line, connection) => {
      const [, tag] = /^(\S+) (?:SELECT|EXAMINE) /i.exec(line) ?? [];
      if (tag !== undefined) selecting.set(connection, tag);
      return line;
    },
    response: (line, connection) => {
      const known = seen.get(connection) ?? { exists: "0", uidNext: "1" };
      seen.set(connection, known);
      if (line.startsWith(`${selecting.get(connection)} `)) selecting.delete(connection);
      const [, exists] = /^\* (\d+) EXISTS/.exec(line) ?? [];
      if (selecting.has(connection)) {
        known.exists = exists ?? known.exists;
        known.uidNext = /\[UIDNEXT (\d+)\]/.exec(line)?.[1] ?? known.uidNext;
        return line;
      }
      if (exists !== undefined || /^\* \d+ (?:EXPUNGE|RECENT)/.test(line)) return "";
      if (!seen.has(connection) || !/^\* STATUS "?INBOX/i.test(line)) return line;
      return line
        .replace(/MESSAGES \d+/, `MESSAGES ${known.exists}`)
        .replace(/UIDNEXT \d+/, `UIDNEXT ${known.uidNext}`);
    },
  };
};

describeWithDovecot("a server that shows changes only to a session that selects INBOX again, as Naver", () => {
  it.live("announces each arrival and removal once", () =>
    Effect.gen(function* () {
      const { port } = yield* Dovecot;
      const strict = quirkRewrite([
        { kind: "removes", capabilities: ["QRESYNC", "CONDSTORE", "IDLE"], evidence: "a test" },
      ]);
      const stale = untilSelected();
      const proxy = yield* imapProxy(port, {
        command: (line, connection) => {
          const made = strict.command!(line, connection);
          return typeof made === "string" ? stale.command!(made, connection) : made;
        },
        response: (line, connection) => stale.response!(strict.response!(line, connection) as string, connection),
      });
      const ports = yield* Layer.build(
        imap({ timeouts: { keepalive: 200 } }).pipe(
          Layer.provide(mailServersAt({ host: "127.0.0.1", port: proxy.port })),
          Layer.provideMerge(vaultInMemory),
        ),
      );
      yield* Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        for (const subject of ["one", "two"]) yield* control.append(account, "INBOX", plainMessage(subject));
        const inbox = yield* (yield* InboxWatch).open(account, "watch");
        let { cursor } = yield* inbox.poll((yield* inbox.poll(null)).cursor);
        yield* control.append(account, "INBOX", plainMessage("three"));
        yield* control.expunge(account, "INBOX", [1]);
        const [arrived, vanished]: [Array<number>, Array<number>] = [[], []];
        const end = Date.now() + 20_000;
        for (let after = 0; after < 3 && Date.now() < end;) {
          yield* Effect.timeoutOption(inbox.changed, 100);
          const found = yield* inbox.poll(cursor);
          ({ cursor } = found);
          arrived.push(...uidsOf(found.arrived));
          vanished.push(...(vanishedIn(found) ?? []));
          if (arrived.length > 0) after++;
        }
        assert.deepStrictEqual([arrived, vanished], [[3], [1]]);
      }).pipe(Effect.provide(ports));
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(dovecotControl, Dovecot.layer()))),
  );
});

/** Ends each session that sent nothing but NOOP for this long, in milliseconds. */
const endingIdle = (after: number): ImapRewrite => {
  const active = new Map<number, number>();
  return {
    command: (line, connection) => {
      if (!/^\S+ NOOP\r/i.test(line)) active.set(connection, Date.now());
      return line;
    },
    response: (line, connection) =>
      Date.now() < (active.get(connection) ?? Infinity) + after
        ? line
        : { lines: "* BYE Autologout; idle for too long\r\n", cutAt: 100 },
  };
};

describeWithDovecot("a server that ends sessions despite their NOOPs, as 163", () => {
  it.live("loses no arrival and announces none twice; a listing continues with another session", () =>
    Effect.gen(function* () {
      const { port } = yield* Dovecot;
      const strict = quirkRewrite(profileOf("163").quirks);
      const ending = endingIdle(700);
      const proxy = yield* imapProxy(port, {
        command: (line, connection) => {
          ending.command!(line, connection);
          return strict.command!(line, connection);
        },
        response: (line, connection) => {
          const made = strict.response!(line, connection);
          return typeof made === "string" ? ending.response!(made, connection) : made;
        },
      });
      const ports = yield* Layer.build(
        imap({ timeouts: { keepalive: 200 } }).pipe(
          Layer.provide(mailServersAt({ host: "127.0.0.1", port: proxy.port })),
          Layer.provideMerge(vaultInMemory),
        ),
      );
      yield* Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const watch = yield* InboxWatch;
        let { cursor } = yield* Effect.scoped(
          Effect.flatMap(watch.open(account, "watch"), (inbox) => inbox.poll(null)),
        );
        const arrived: Array<number> = [];
        let ended = 0;
        for (const subject of ["one", "two", "three"]) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const inbox = yield* watch.open(account, "watch");
              const poll = Effect.gen(function* () {
                const found = yield* inbox.poll(cursor);
                ({ cursor } = found);
                arrived.push(...uidsOf(found.arrived));
                yield* inbox.changed;
              });
              yield* control.append(account, "INBOX", plainMessage(subject));
              const lost = yield* Effect.timeout(Effect.flip(Effect.forever(poll)), WITHIN);
              assert.deepInclude(lost, { _tag: "MailServerError" });
              ended++;
            }),
          );
          const shown = yield* Effect.scoped((yield* MailboxReader).view(account, "INBOX"));
          assert.strictEqual(shown.total, ended);
        }
        assert.deepStrictEqual(arrived, [1, 2, 3]);
      }).pipe(Effect.provide(ports));
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(dovecotControl, Dovecot.layer()))),
  );
});
