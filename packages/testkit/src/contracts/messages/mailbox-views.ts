import { assert, type Vitest } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader, type MailboxView, type NewestWanted } from "@postern/core/messages";
import { Effect, Fiber } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

const open = (account: AccountId, path: string) =>
  Effect.flatMap(MailboxReader, (reader) => reader.view(account, path));

/** Opens a view, uses it and closes it. */
const look = <A, E, R>(account: AccountId, path: string, see: (view: MailboxView) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(open(account, path), see));

const uidsAt = (view: MailboxView, first: number, last: number) =>
  Effect.map(view.messages(first, last), (messages) => messages.map((message) => message.uid));

const fill = Effect.fnUntraced(function* (account: AccountId, path: string, count: number) {
  const control = yield* MailServerControl;
  return yield* Effect.forEach(Array.from({ length: count }), (_, n) =>
    control.append(account, path, plainMessage(`${n + 1}`)),
  );
});

/** The part of the MailboxReader contract about views, whose positions stay fixed. */
export const mailboxViews = (
  it: Vitest.MethodsNonLive<MailboxReader | MailboxTree | CredentialVault | MailServerControl>,
  { prefix, states }: { readonly prefix: string; readonly states: boolean },
): void => {
  const SENT = `${prefix}Sent`;
  it.effect("opens an empty view of an empty mailbox", () =>
    Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const view = yield* open(account, "INBOX");
      assert.deepInclude(view, { total: 0, unread: 0 });
      assert.isAbove(view.uidValidity, 0);
      assert.deepStrictEqual(yield* view.messages(1, 0), []);
      assert.strictEqual(yield* view.positionBelow(0xffff_ffff), 0);
    }),
  );

  it.effect("returns messages by position, oldest first", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const uids = yield* fill(account, "INBOX", 12);
      yield* control.setFlags(account, "INBOX", uids[3]!, ["\\Seen"]);
      const view = yield* open(account, "INBOX");
      assert.deepInclude(view, { total: 12, unread: 11 });
      assert.deepStrictEqual(yield* uidsAt(view, 1, 12), uids);
      assert.deepStrictEqual(yield* uidsAt(view, 4, 6), uids.slice(3, 6));
      assert.deepStrictEqual(yield* uidsAt(view, 12, 12), uids.slice(11));
      const subjects = (yield* view.messages(1, 3)).map((message) => message.subject);
      assert.deepStrictEqual(subjects, ["1", "2", "3"]);
    }),
  );

  it.effect("returns a range of two hundred messages in order", () =>
    Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const uids = yield* fill(account, "INBOX", 230);
      const view = yield* open(account, "INBOX");
      assert.strictEqual(view.total, 230);
      assert.deepStrictEqual(yield* uidsAt(view, 31, 230), uids.slice(30));
    }),
  );

  for (const path of ["INBOX", SENT])
    it.effect(`a view of ${path} whose newest messages are asked for shows the same after each change`, () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const reader = yield* MailboxReader;
        const { account } = yield* signedInAccount;
        const everything = (newest?: NewestWanted) =>
          Effect.scoped(
            Effect.gen(function* () {
              const view = yield* reader.view(account, path, newest);
              const { total, unread, uidValidity } = view;
              const parts = yield* Effect.forEach(
                [
                  [total - 2, total],
                  [1, total],
                  [total + 1, total + 9],
                  [2, 3],
                ] as const,
                ([first, last]) => view.messages(first, last),
              );
              const byUid = yield* view.byUid(uids.slice(-2));
              return { total, unread, uidValidity, parts, byUid, flags: yield* view.flags(1, total) };
            }),
          );
        let uids: ReadonlyArray<number> = [];
        const append = (count: number) => Effect.map(fill(account, path, count), (more) => (uids = [...uids, ...more]));
        const expunge = (gone: ReadonlyArray<number>) => control.expunge(account, path, gone);
        const changes = [
          Effect.void,
          append(5),
          Effect.suspend(() => control.setFlags(account, path, uids[4]!, ["\\Seen"])),
          append(3),
          Effect.suspend(() => expunge(uids.slice(1, 7))),
          Effect.suspend(() => expunge([uids[0]!, uids[7]!])),
          append(2),
        ];
        for (const [n, change] of changes.entries()) {
          yield* change;
          const plain = yield* everything();
          for (const count of [1, 3, 200])
            for (const known of [undefined, 0, uids.at(-2), uids.at(-1)]) {
              const shown = yield* everything({ count, known });
              assert.deepStrictEqual(shown, plain, `${count}, known up to ${known}, after change ${n}`);
            }
          yield* change === changes[3] ? append(4) : Effect.void;
          assert.deepStrictEqual(yield* everything({ count: 3 }), yield* everything(), `once more after change ${n}`);
        }
      }),
    );

  it.effect("positionBelow finds the highest position under a UID, gaps or not", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const all = yield* fill(account, "INBOX", 9);
      yield* control.expunge(account, "INBOX", [all[2]!, all[3]!]);
      const uids = all.filter((_, n) => n !== 2 && n !== 3);
      const view = yield* open(account, "INBOX");
      assert.strictEqual(view.total, 7);
      for (const uid of [...all, all[8]! + 1, all[8]! + 1000, 1, 0xffff_ffff]) {
        const below = uids.filter((other) => other < uid).length;
        assert.strictEqual(yield* view.positionBelow(uid), below, `below ${uid}`);
      }
    }),
  );

  for (const path of ["INBOX", SENT]) {
    it.effect(`reports another state of ${path} after each change, and the same while nothing changes [S5.1-8]`, () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const reader = yield* MailboxReader;
        const { account } = yield* signedInAccount;
        const first = yield* control.append(account, path, plainMessage("1"));
        const second = yield* control.append(account, path, plainMessage("2"));
        const changes = [
          control.setFlags(account, path, first, ["\\Seen"]),
          control.setFlags(account, path, first, ["\\Flagged"]),
          control.setFlags(account, path, second, ["\\Answered"]),
          control.append(account, path, plainMessage("3")),
          control.expunge(account, path, [second]),
        ];
        const shown = (view: MailboxView) => Effect.succeed(view.state);
        let before = yield* look(account, path, shown);
        assert.deepStrictEqual(yield* reader.probe(account, path), before);
        for (const change of changes) {
          yield* change;
          const told = yield* reader.probe(account, path);
          const state = told === "changed" ? yield* reader.probe(account, path) : told;
          if (states) assert.notDeepEqual(state, before);
          else assert.isNull(state);
          assert.deepStrictEqual(yield* reader.probe(account, path), state);
          before = yield* look(account, path, shown);
          assert.deepStrictEqual(before, state, "the state of a view is that of a probe");
        }
        if (states) assert.deepInclude(before, { total: 2, unread: 2 });
      }),
    );
  }

  it.effect("returns flags by position, and messages by UID", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const uids = yield* fill(account, "INBOX", 4);
      yield* control.setFlags(account, "INBOX", uids[2]!, ["\\Seen", "\\Flagged"]);
      const view = yield* open(account, "INBOX");
      const messages = yield* view.messages(1, 4);
      const flags = yield* view.flags(2, 9);
      assert.deepStrictEqual(
        flags.map(({ uid, unread, flagged }) => [uid, unread, flagged]),
        [
          [uids[1], true, false],
          [uids[2], false, true],
          [uids[3], true, false],
        ],
      );
      assert.deepStrictEqual(yield* view.byUid([uids[3]!, uids[0]!, uids[3]! + 9]), [messages[0]!, messages[3]!]);
      assert.deepStrictEqual(yield* view.byUid([]), []);
      assert.deepStrictEqual(yield* view.flags(1, 0), []);
    }),
  );

  for (const path of ["INBOX", SENT, `${prefix}Öffentliches 日本`]) {
    it.effect(`includes all mail that reached ${path} before each view`, () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account } = yield* signedInAccount;
        if (path.includes("Ö")) yield* control.createMailbox(account, path);
        const expected: Array<number> = [];
        for (let n = 0; n < 6; n++) {
          expected.push(yield* control.append(account, path, plainMessage(`${n}`)));
          const seen = yield* look(account, path, (view) =>
            Effect.map(uidsAt(view, 1, view.total), (uids) => ({ total: view.total, unread: view.unread, uids })),
          );
          assert.deepStrictEqual(seen, { total: n + 1, unread: n + 1, uids: expected });
        }
        for (const uid of [expected[4]!, expected[0]!]) {
          yield* control.expunge(account, path, [uid]);
          expected.splice(expected.indexOf(uid), 1);
          const seen = yield* look(account, path, (view) =>
            Effect.map(uidsAt(view, 1, view.total), (uids) => ({ total: view.total, uids })),
          );
          assert.deepStrictEqual(seen, { total: expected.length, uids: expected });
        }
        yield* control.setFlags(account, path, expected[0]!, ["\\Seen"]);
        assert.strictEqual(yield* look(account, path, (view) => Effect.succeed(view.unread)), expected.length - 1);
      }),
    );
  }

  for (const seen of [false, true]) {
    it.effect(
      `keeps the positions of an open view while mail arrives and is removed${seen ? " that it has shown" : ""}`,
      () =>
        Effect.gen(function* () {
          const control = yield* MailServerControl;
          const { account } = yield* signedInAccount;
          const uids = yield* fill(account, "INBOX", 8);
          const view = yield* open(account, "INBOX");
          assert.deepStrictEqual(yield* uidsAt(view, seen ? 1 : 7, 8), seen ? uids : uids.slice(6));
          yield* control.expunge(account, "INBOX", [uids[1]!, uids[5]!]);
          const [late] = yield* fill(account, "INBOX", 1);
          const gone = new Set([uids[1], uids[5]]);
          for (const round of [1, 2]) {
            for (const [n, uid] of uids.entries()) {
              const there = (yield* view.messages(n + 1, n + 1)).map((message) => [message.uid, message.subject]);
              // The position of a removed message is empty, or still shows the message in the state of the opening of
              // the view.
              if (gone.has(uid) && there.length === 0) continue;
              assert.deepStrictEqual(there, [[uid, `${n + 1}`]], `position ${n + 1}, round ${round}`);
            }
            assert.deepStrictEqual(
              (yield* uidsAt(view, 1, 8)).filter((uid) => !gone.has(uid)),
              uids.filter((uid) => !gone.has(uid)),
            );
            assert.strictEqual(yield* view.positionBelow(uids[4]!), 4);
            assert.strictEqual(yield* view.positionBelow(late! + 1), 8);
          }
          assert.strictEqual(view.total, 8);
          const next = yield* look(account, "INBOX", (fresh) => uidsAt(fresh, 1, fresh.total));
          assert.deepStrictEqual(next, [...uids.filter((uid) => !gone.has(uid)), late!]);
        }),
    );
  }

  it.effect("opens views of several mailboxes at once", () =>
    Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const inbox = yield* fill(account, "INBOX", 2);
      const sent = yield* fill(account, SENT, 3);
      const one = yield* open(account, "INBOX");
      const other = yield* open(account, SENT);
      assert.deepStrictEqual(yield* uidsAt(one, 1, one.total), inbox);
      assert.deepStrictEqual(yield* uidsAt(other, 1, other.total), sent);
      assert.deepStrictEqual(yield* uidsAt(one, 1, one.total), inbox);
    }),
  );

  it.effect("returns the same to many concurrent views", () =>
    Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const inbox = yield* fill(account, "INBOX", 4);
      const sent = yield* fill(account, SENT, 2);
      yield* Effect.forEach(
        Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? "INBOX" : SENT)),
        (path) =>
          look(account, path, (view) =>
            Effect.map(uidsAt(view, 1, view.total), (uids) =>
              assert.deepStrictEqual(uids, path === "INBOX" ? inbox : sent),
            ),
          ),
        { concurrency: "unbounded" },
      );
    }),
  );

  it.effect("fails for a missing name, before and after a folder had it", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const tag = Effect.map(errorOf(look(account, `${prefix}Brief`, () => Effect.void)), (error) => error._tag);
      assert.strictEqual(yield* tag, "FolderNotFound");
      yield* control.createMailbox(account, `${prefix}Brief`);
      yield* fill(account, `${prefix}Brief`, 2);
      const first = yield* look(account, `${prefix}Brief`, (view) => Effect.succeed(view));
      assert.strictEqual(first.total, 2);
      yield* control.deleteMailbox(account, `${prefix}Brief`);
      assert.strictEqual(yield* tag, "FolderNotFound");
      yield* control.createMailbox(account, `${prefix}Brief`);
      const second = yield* look(account, `${prefix}Brief`, (view) => Effect.succeed(view));
      assert.strictEqual(second.total, 0);
      assert.notStrictEqual(second.uidValidity, first.uidValidity);
      yield* control.renameMailbox(account, `${prefix}Brief`, `${prefix}Elsewhere`);
      assert.strictEqual(yield* tag, "FolderNotFound");
    }),
  );

  it.effect("opens exactly the selectable folders of the listing, with its counts", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const tree = yield* MailboxTree;
      const { account } = yield* signedInAccount;
      const delimiter = (yield* tree.list(account))[0]!.delimiter!;
      const parent = `${prefix}Parent`;
      const child = `${parent}${delimiter}Child`;
      yield* control.createMailbox(account, child);
      yield* fill(account, child, 2);
      const listed = yield* tree.list(account);
      assert.includeMembers(
        listed.map((mailbox) => mailbox.path),
        [parent, child],
      );
      for (const { path, status } of listed) {
        const seen = yield* Effect.result(look(account, path, (view) => Effect.succeed(view)));
        if (seen._tag === "Success") {
          const { total, unread, uidValidity } = seen.success;
          assert.deepInclude(status, { total, unread, uidValidity }, path);
        } else {
          assert.strictEqual(seen.failure._tag, "FolderNotSelectable", path);
          assert.isNull(status, path);
        }
      }
    }),
  );

  it.effect("separates accounts", () =>
    Effect.gen(function* () {
      const { account: one } = yield* signedInAccount;
      const { account: other } = yield* signedInAccount;
      const uids = yield* fill(one, "INBOX", 3);
      const [mine, theirs] = [yield* open(one, "INBOX"), yield* open(other, "INBOX")];
      assert.deepStrictEqual(yield* uidsAt(mine, 1, mine.total), uids);
      assert.strictEqual(theirs.total, 0);
    }),
  );

  it.effect("closes its view when interrupted", () =>
    Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const uids = yield* fill(account, "INBOX", 20);
      for (let n = 0; n < 12; n++) {
        const reading = yield* Effect.forkChild(
          look(account, "INBOX", (view) => Effect.forever(view.messages(1, view.total))),
          { startImmediately: true },
        );
        yield* Effect.sleep(n * 2);
        yield* Fiber.interrupt(reading);
      }
      const holding = yield* Effect.forEach(Array.from({ length: 12 }), () =>
        Effect.forkChild(
          look(account, "INBOX", () => Effect.never),
          { startImmediately: true },
        ),
      );
      yield* Effect.sleep(50);
      yield* Fiber.interruptAll(holding);
      assert.deepStrictEqual(yield* look(account, "INBOX", (view) => uidsAt(view, 1, view.total)), uids);
    }),
  );
};
