import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { isAutomatic, type MailboxCursor } from "@postern/core/mail";
import type { CredentialVault } from "@postern/core/auth";
import { type InboxPoll, InboxWatch, isIn, type SeenMessage, type WatchedInbox } from "@postern/core/watch";
import { MailboxTree } from "@postern/core/folders";
import { Effect, Fiber, type Layer } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { crlfLines, plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";

const TIMEOUT = "25 seconds";

/** The contract of `InboxWatch` (spec 7). */
export const inboxWatchContract = <E>(
  name: string,
  ports: Layer.Layer<InboxWatch | MailboxTree | MailServerControl | CredentialVault, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const start = Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const control = yield* MailServerControl;
      const watch = yield* InboxWatch;
      return { account, control, watch };
    });
    /** A cursor before all messages. */
    const beginning = (account: AccountId) =>
      Effect.flatMap(InboxWatch, (watch) =>
        Effect.map(watch.readPresent(account, "request"), ({ cursor }) => ({
          ...cursor,
          uidNext: 1,
          highestModSeq: null,
        })),
      );
    const uids = ({ arrived }: InboxPoll) => arrived.map(({ uid }) => uid);
    const gone = (poll: InboxPoll, seen: ReadonlyArray<number>) =>
      poll.present === undefined
        ? poll.vanished.filter((uid) => seen.includes(uid))
        : seen.filter((uid) => !isIn(poll.present, uid));

    it.effect("returns the cursor and the newest messages of INBOX", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const { cursor: before } = yield* watch.readPresent(account, "request");
        const uid = yield* control.append(account, "INBOX", plainMessage(`m${1}`));
        const { cursor: after, newest } = yield* watch.readPresent(account, "request");
        assert.deepStrictEqual([before.uidValidity, after.uidNext], [after.uidValidity, uid + 1]);
        assert.isAtMost(before.uidNext, uid);
        assert.deepInclude(newest, { uidValidity: after.uidValidity, from: 1 });
        const [found] = newest.messages.filter((message) => message.uid === uid);
        assert.deepInclude(found, { size: plainMessage("m1").length, unread: true, flagged: false });
      }),
    );

    it.effect("polls all messages, then new, deleted and flagged ones", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const raw = crlfLines(
          'From: "Ann" <ann@example.org>',
          "To: bob@example.org, Carl <carl@example.org>",
          "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
          "Message-ID: <grüße@example.org>".replace("grüße", "g1"),
          "",
          "Hello.",
        );
        const at = 1_790_000_000_000;
        const first = yield* control.append(account, "INBOX", raw, { flags: ["\\Seen"], arrivedAt: at });
        const second = yield* control.append(account, "INBOX", plainMessage(`m${2}`));
        const inbox = yield* watch.open(account, "watch");
        const all = yield* inbox.poll(yield* beginning(account));
        assert.deepStrictEqual(uids(all), [first, second]);
        assert.strictEqual(all.cursor.uidNext, second + 1);
        const [one] = all.arrived;
        assert.deepInclude(one, { messageId: "<g1@example.org>", arrivedAt: at, unread: false, flagged: false });
        assert.strictEqual(one!.size, Buffer.byteLength(raw));
        assert.deepInclude(one!.summary, { subject: "Grüße", from: { name: "Ann", address: "ann@example.org" } });
        assert.strictEqual(one!.summary!.to.length, 2);

        const quiet = yield* inbox.poll(all.cursor);
        assert.deepStrictEqual(
          uids(quiet).filter((uid) => uid > second),
          [],
        );
        assert.deepStrictEqual(gone(quiet, uids(all)), []);

        yield* control.setFlags(account, "INBOX", second, ["\\Seen", "\\Flagged", "\\Answered"]);
        yield* control.expunge(account, "INBOX", [first]);
        const third = yield* control.append(account, "INBOX", plainMessage(`m${3}`));
        const next = yield* inbox.poll(quiet.cursor);
        assert.deepStrictEqual(
          uids(next).filter((uid) => uid > second),
          [third],
        );
        assert.deepStrictEqual(gone(next, uids(all)), [first]);
        const flags = next.flags.find(({ uid }) => uid === second)!;
        assert.deepInclude(flags, { unread: false, flagged: true, answered: true });
      }).pipe(Effect.scoped),
    );

    it.effect("polls the header fields that distinguish automatic messages from those of people [S6.2-11]", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const written = ["X-None: 1", "Auto-Submitted: no", "Precedence: list", "Return-Path: <a@example.org>"];
        const automatic = [
          "Auto-Submitted:\r\n auto-replied",
          "Precedence: bulk",
          "X-Auto-Response-Suppress: All",
          "Return-Path: <>",
        ];
        for (const field of [...written, ...automatic]) {
          yield* control.append(
            account,
            "INBOX",
            crlfLines("From: ann@example.org", field, "Subject: s", "", "Hello."),
          );
        }
        const inbox = yield* watch.open(account, "watch");
        const { arrived } = yield* inbox.poll(yield* beginning(account));
        assert.deepStrictEqual(
          arrived.map(({ fields }) => isAutomatic(fields)),
          [...written.map(() => false), ...automatic.map(() => true)],
        );
      }).pipe(Effect.scoped),
    );

    it.effect("returns slices of messages, newest first, with the same fields as arrivals [S7.4-6]", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const ids = [
          "Message-ID: <plain@example.org>",
          "Message-Id:\r\n <folded@example.org>",
          "MESSAGE-ID:   <spaced@example.org>  ",
          "Message-ID: <commented@example.org> (a comment)",
          "Message-ID: bare@example.org",
          "X-None: 1",
        ];
        for (const [n, id] of ids.entries()) {
          const flags = n === 1 ? ["\\Seen", "\\Flagged"] : n === 2 ? ["\\Answered"] : [];
          yield* control.append(account, "INBOX", crlfLines("From: a@example.org", id, "Subject: s", "", "."), {
            flags,
          });
        }
        const { uidNext, uidValidity } = (yield* watch.readPresent(account, "request")).cursor;
        const inbox = yield* watch.open(account, "watch");
        const { arrived } = yield* inbox.poll(yield* beginning(account));
        const found: Array<SeenMessage> = [];
        for (let below = uidNext; below > 1;) {
          const slice = yield* inbox.below(below);
          assert.strictEqual(slice.uidValidity, uidValidity);
          assert.isBelow(slice.from, below);
          for (const { uid } of slice.messages) assert.isTrue(uid >= slice.from && uid < below);
          found.unshift(...slice.messages);
          below = slice.from;
        }
        assert.lengthOf(found, ids.length);
        for (const [n, one] of found.entries()) {
          const { uid, emailId, messageId, size, arrivedAt, unread, flagged, answered } = arrived[n]!;
          assert.deepInclude(one, { uid, emailId, size, arrivedAt, unread, flagged, answered });
          if (one.emailId === null) assert.strictEqual(one.messageId, messageId, ids[n]);
        }
        const described = yield* inbox.describe([arrived[0]!.uid, uidNext + 100]);
        assert.deepStrictEqual(described, [arrived[0]!]);
        assert.deepStrictEqual(yield* inbox.below(1), { uidValidity, from: 1, messages: [] });
      }).pipe(Effect.scoped),
    );

    it.effect("returns only the cursor without `since` or under another UIDVALIDITY", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        yield* control.append(account, "INBOX", plainMessage("m1"));
        const inbox = yield* watch.open(account, "watch");
        const { cursor: present } = yield* watch.readPresent(account, "request");
        for (const since of [null, { ...present, uidNext: 1, uidValidity: present.uidValidity + 1 }]) {
          const poll = yield* inbox.poll(since);
          assert.deepStrictEqual([poll.cursor.uidNext, poll.arrived, poll.flags], [present.uidNext, [], []]);
        }
      }).pipe(Effect.scoped),
    );

    it.effect("finds on a new connection the changes since the previous connection", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const before = yield* Effect.forEach([1, 2, 3], (n) => control.append(account, "INBOX", plainMessage(`m${n}`)));
        const looked = (since: MailboxCursor | null) =>
          Effect.scoped(Effect.flatMap(watch.open(account, "watch"), (inbox) => inbox.poll(since)));
        const { cursor } = yield* looked(null);
        yield* control.expunge(account, "INBOX", [before[1]!]);
        yield* control.setFlags(account, "INBOX", before[2]!, ["\\Seen"]);
        const came = yield* control.append(account, "INBOX", plainMessage(`m${4}`));
        const after = yield* looked(cursor);
        assert.deepStrictEqual(uids(after), [came]);
        assert.deepStrictEqual(gone(after, before), [before[1]]);
        assert.isFalse(after.flags.find(({ uid }) => uid === before[2])?.unread);
      }),
    );

    it.effect("finds the departure of the newest message, and of the only one, on each connection [S7.4-6]", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const path = yield* createMailbox(account);
        for (const place of ["INBOX", path]) {
          const [old, newest] = yield* Effect.forEach([1, 2], (n) =>
            control.append(account, place, plainMessage(`m${n}`)),
          );
          const visit = <A, E>(read: (mailbox: ReturnType<WatchedInbox["mailbox"]>) => Effect.Effect<A, E>) =>
            Effect.scoped(
              Effect.flatMap(watch.open(account, "watch"), (inbox) =>
                read(place === "INBOX" ? inbox : inbox.mailbox(place)),
              ),
            );
          const since = yield* visit(
            Effect.fnUntraced(function* (mailbox) {
              const { cursor } = yield* mailbox.poll(null);
              yield* mailbox.poll(cursor);
              yield* control.expunge(account, place, [newest!]);
              assert.deepStrictEqual(gone(yield* mailbox.poll(cursor), [old!, newest!]), [newest], place);
              return cursor;
            }),
          );
          const next = yield* visit((mailbox) => mailbox.poll(since));
          assert.deepStrictEqual(gone(next, [old!, newest!]), [newest], place);
          yield* control.expunge(account, place, [old!]);
          assert.include(gone(yield* visit((mailbox) => mailbox.poll(next.cursor)), [old!, newest!]), old, place);
        }
      }).pipe(Effect.scoped),
    );

    it.effect("completes when mail arrives, is deleted or read, and waits otherwise", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const inbox = yield* watch.open(account, "watch");
        let { cursor } = yield* inbox.poll(null);
        const after = Effect.fnUntraced(function* (change: Effect.Effect<unknown>) {
          const waiting = yield* Effect.forkChild(inbox.changed);
          yield* Effect.sleep(300);
          assert.isUndefined(waiting.pollUnsafe(), "nothing happened yet");
          yield* change;
          yield* Fiber.join(waiting).pipe(Effect.timeout(TIMEOUT));
          const poll = yield* inbox.poll(cursor);
          cursor = poll.cursor;
          return poll;
        });
        const came = yield* after(control.append(account, "INBOX", plainMessage(`m${1}`)));
        const [uid] = uids(came);
        assert.isDefined(uid);
        const read = yield* after(control.setFlags(account, "INBOX", uid!, ["\\Seen"]));
        assert.isFalse(read.flags.find((one) => one.uid === uid)?.unread);
        const went = yield* after(control.expunge(account, "INBOX", [uid!]));
        assert.deepStrictEqual(gone(went, [uid!]), [uid]);
      }).pipe(Effect.scoped),
    );

    it.effect("works after being interrupted while it waits", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const inbox = yield* watch.open(account, "watch");
        const { cursor } = yield* inbox.poll(null);
        yield* Effect.timeoutOption(inbox.changed, 200);
        yield* control.append(account, "INBOX", plainMessage(`m${1}`));
        assert.strictEqual((yield* inbox.poll(cursor)).arrived.length, 1);
      }).pipe(Effect.scoped),
    );

    it.effect("lists the folders like MailboxTree", () =>
      Effect.gen(function* () {
        const { account, watch } = yield* start;
        const inbox = yield* watch.open(account, "watch");
        yield* inbox.poll(null);
        assert.deepStrictEqual(yield* inbox.folders([]), yield* (yield* MailboxTree).list(account));
      }).pipe(Effect.scoped),
    );

    /** Creates a mailbox in the personal namespace; returns its path. */
    const createMailbox = Effect.fnUntraced(function* (account: AccountId) {
      const [listed] = yield* (yield* MailboxTree).list(account);
      const path = `${listed!.prefix}Projects`;
      yield* (yield* MailServerControl).createMailbox(account, path);
      return path;
    });

    it.effect("reads other mailboxes, and INBOX again afterwards", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const path = yield* createMailbox(account);
        const old = yield* control.append(account, path, plainMessage("m1"));
        const inbox = yield* watch.open(account, "watch");
        const { cursor: atInbox } = yield* inbox.poll(null);
        const standing = Effect.map(inbox.standings([path, "Absent"]), (all) => {
          assert.notInclude(
            all.map((one) => one.path),
            "Absent",
          );
          return all.find((one) => one.path === path)!;
        });
        const before = yield* standing;
        assert.deepInclude(before, { path });
        assert.deepStrictEqual(yield* standing, before, "nothing changed");
        const projects = inbox.mailbox(path);
        const all = yield* projects.poll({ ...before.cursor, uidNext: 1, highestModSeq: null });
        assert.deepStrictEqual(uids(all), [old]);
        assert.strictEqual(all.cursor.uidValidity, before.cursor.uidValidity);
        assert.deepStrictEqual(
          (yield* projects.below(all.cursor.uidNext)).messages.map(({ uid }) => uid),
          [old],
        );
        assert.deepStrictEqual(
          (yield* projects.describe([old])).map(({ uid }) => uid),
          [old],
        );

        const here = yield* control.append(account, "INBOX", plainMessage("m2"));
        const came = yield* control.append(account, path, plainMessage("m3"));
        const ofInbox = (yield* inbox.standings([path])).find((one) => one.path === "INBOX");
        if (ofInbox !== undefined) assert.isAbove(ofInbox.cursor.uidNext, here, "INBOX is as the session saw it");
        const changed = yield* standing;
        assert.notDeepEqual(changed, before);
        const next = yield* projects.poll(all.cursor);
        assert.deepStrictEqual(uids(next), [came]);
        const arrived = yield* inbox.poll(atInbox);
        assert.deepStrictEqual(uids(arrived), [here]);

        yield* control.setFlags(account, path, came, ["\\Seen"]);
        const read = yield* standing;
        assert.notDeepEqual(read, changed, "a message was read");
        assert.isFalse((yield* projects.poll(next.cursor)).flags.find(({ uid }) => uid === came)?.unread);
        yield* control.expunge(account, path, [old]);
        assert.notDeepEqual(yield* standing, read, "a message was removed");
        assert.deepStrictEqual(gone(yield* projects.poll(next.cursor), [old, came]), [old]);
        yield* control.append(account, "INBOX", plainMessage("m4"));
        assert.lengthOf((yield* inbox.poll(arrived.cursor)).arrived, 1);
      }).pipe(Effect.scoped),
    );

    it.effect("announces changes of other mailboxes if the server can", () =>
      Effect.gen(function* () {
        const { account, control, watch } = yield* start;
        const path = yield* createMailbox(account);
        const inbox = yield* watch.open(account, "watch");
        const { cursor } = yield* inbox.poll(null);
        if (!(yield* inbox.announceAll)) return;
        const announcedAfter = Effect.fnUntraced(function* (change: Effect.Effect<unknown>) {
          yield* change;
          for (;;) {
            const others = yield* Effect.timeout(inbox.changed, TIMEOUT);
            if (others === null || others.has(path)) return;
          }
        });
        const uid = yield* control.append(account, path, plainMessage("m1"));
        yield* announcedAfter(Effect.void);
        yield* announcedAfter(control.setFlags(account, path, uid, ["\\Flagged"]));
        const all = yield* inbox.mailbox(path).poll({ ...cursor, uidNext: 1 });
        assert.deepStrictEqual(all.arrived, []);
        const waiting = yield* Effect.forkChild(inbox.changed);
        yield* control.append(account, "INBOX", plainMessage("m2"));
        yield* Fiber.join(waiting).pipe(Effect.timeout(TIMEOUT));
        assert.lengthOf((yield* inbox.poll(cursor)).arrived, 1);
        yield* announcedAfter(control.expunge(account, path, [uid]));
      }).pipe(Effect.scoped),
    );
  });
