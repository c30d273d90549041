import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxChanges, MailboxTree } from "@postern/core/folders";
import { MailboxReader } from "@postern/core/messages";
import { Effect, type Layer, Option } from "effect";
import { FOLDER_NAMES } from "../../fixtures/folder-names.ts";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { crlfLines, plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

const numberedMessage = (n: number) =>
  crlfLines("From: a@example.org", `Message-ID: <${n}@example.org>`, `Subject: message ${n}`, "", `Text ${n}.`);

const moveSome = Effect.fnUntraced(function* (account: AccountId, from: string, to: string) {
  const changes = yield* MailboxChanges;
  const batch = yield* changes.nextBatch(account, from, to);
  return Option.isNone(batch) ? 0 : (yield* changes.moveBatch(account, batch.value, to)).length;
});

/**
 * The contract of `MailboxChanges` (spec 4). `refuses` are names that the server under test does not accept; `marks`:
 * the server marks new mailboxes with a role. `countsUids`: STATUS has UIDNEXT.
 */
export const mailboxChangesContract = <E>(
  name: string,
  ports: Layer.Layer<MailboxChanges | MailboxTree | MailboxReader | CredentialVault | MailServerControl, E>,
  {
    refuses = /(?!)/,
    marks = false,
    countsUids = true,
  }: { readonly refuses?: RegExp; readonly marks?: boolean; readonly countsUids?: boolean } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const list = (account: AccountId) => Effect.flatMap(MailboxTree, (tree) => tree.list(account));
    const statusOf = Effect.fnUntraced(function* (account: AccountId, path: string) {
      return (yield* list(account)).find((mailbox) => mailbox.path === path)?.status;
    });
    const subjects = Effect.fnUntraced(function* (account: AccountId, path: string) {
      const view = yield* (yield* MailboxReader).view(account, path);
      return yield* view.messages(1, view.total);
    }, Effect.scoped);
    /** A signed-in account, with the top-level names that its server accepts. */
    const start = Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const [inbox] = yield* list(account);
      return { account, prefix: inbox!.prefix, delimiter: inbox!.delimiter!, changes: yield* MailboxChanges };
    });

    it.effect("creates mailboxes with names in every script, and no name twice", () =>
      Effect.gen(function* () {
        const { account, prefix, changes } = yield* start;
        const before = (yield* list(account)).length;
        const names = FOLDER_NAMES.filter((name) => !refuses.test(name));
        for (const name of names) yield* changes.create(account, prefix + name);
        const listed = yield* list(account);
        assert.lengthOf(listed, before + names.length);
        for (const name of names) {
          const found = listed.find(({ path }) => path === prefix + name);
          assert.deepInclude(found?.status, { total: 0, uidNext: countsUids ? 1 : null }, name);
          assert.strictEqual((yield* errorOf(changes.create(account, prefix + name)))._tag, "FolderExists", name);
        }
        for (const name of FOLDER_NAMES.filter((name) => refuses.test(name))) {
          const refusal = yield* errorOf(changes.create(account, prefix + name));
          assert.strictEqual(refusal._tag, "FolderNameInvalid", name);
        }
      }),
    );

    it.effect("creates a mailbox for a role, and marks it if the server can and the role is free", () =>
      Effect.gen(function* () {
        const { account, prefix, changes } = yield* start;
        const roleOf = Effect.fnUntraced(function* (path: string) {
          return (yield* list(account)).find((mailbox) => mailbox.path === path)?.role;
        });
        const [kept, moved] = [`${prefix}Kept mail`, `${prefix}Old mail`];
        yield* changes.create(account, kept, "archive");
        assert.strictEqual(yield* roleOf(kept), marks ? "archive" : null);
        assert.strictEqual((yield* errorOf(changes.create(account, kept, "archive")))._tag, "FolderExists");
        for (const role of ["archive", "sent", "drafts", "trash", "junk", "inbox"] as const) {
          if (role === "archive" && !marks) continue;
          yield* changes.create(account, `${prefix}Second ${role}`, role);
          assert.isNull(yield* roleOf(`${prefix}Second ${role}`), role);
        }
        yield* changes.rename(account, kept, moved);
        assert.strictEqual(yield* roleOf(moved), marks ? "archive" : null);
        assert.isUndefined(yield* roleOf(kept));
      }),
    );

    it.effect("renames a mailbox with its messages", () =>
      Effect.gen(function* () {
        const { account, prefix, changes } = yield* start;
        const control = yield* MailServerControl;
        const [old, now] = [`${prefix}Entwürfe & mehr`, `${prefix}日本 & Co`];
        yield* changes.create(account, old);
        yield* changes.create(account, `${prefix}Other`);
        yield* control.append(account, old, plainMessage("kept"));
        yield* changes.rename(account, old, now);
        assert.isUndefined(yield* statusOf(account, old));
        assert.deepInclude(yield* statusOf(account, now), { total: 1 });
        assert.strictEqual((yield* errorOf(changes.rename(account, old, now)))._tag, "FolderNotFound");
        const taken = yield* errorOf(changes.rename(account, now, `${prefix}Other`));
        assert.strictEqual(taken._tag, "FolderExists");
        assert.deepInclude(yield* statusOf(account, now), { total: 1 });
      }),
    );

    it.effect("removes a mailbox, but never its children", () =>
      Effect.gen(function* () {
        const { account, prefix, delimiter, changes } = yield* start;
        const control = yield* MailServerControl;
        const top = `${prefix}Top`;
        yield* changes.create(account, top);
        yield* changes.create(account, `${top}${delimiter}Below`);
        yield* control.append(account, top, plainMessage("gone"));
        yield* control.append(account, `${top}${delimiter}Below`, plainMessage("stays"));
        const removed = yield* Effect.result(changes.remove(account, top));
        assert.strictEqual((yield* statusOf(account, top)) == null, removed._tag === "Success");
        assert.deepInclude(yield* statusOf(account, `${top}${delimiter}Below`), { total: 1 });
        yield* changes.remove(account, `${top}${delimiter}Below`);
        assert.isUndefined(yield* statusOf(account, `${top}${delimiter}Below`));
        assert.strictEqual((yield* errorOf(changes.remove(account, `${prefix}None`)))._tag, "FolderNotFound");
      }),
    );

    it.effect("creates, renames and removes a removed name again at once", () =>
      Effect.gen(function* () {
        const { account, prefix, changes } = yield* start;
        for (let n = 0; n < 4; n++) {
          yield* changes.create(account, `${prefix}Again`);
          assert.deepInclude(yield* statusOf(account, `${prefix}Again`), { total: 0 });
          yield* changes.rename(account, `${prefix}Again`, `${prefix}Once more`);
          assert.deepInclude(yield* statusOf(account, `${prefix}Once more`), { total: 0 });
          yield* changes.remove(account, `${prefix}Once more`);
          assert.isUndefined(yield* statusOf(account, `${prefix}Once more`));
        }
      }),
    );

    it.effect("moves messages with their flags and arrival times, oldest first, until none is left", () =>
      Effect.gen(function* () {
        const { account, prefix, changes } = yield* start;
        const control = yield* MailServerControl;
        const [from, to] = [`${prefix}From`, `${prefix}Tö & so`];
        yield* changes.create(account, from);
        yield* changes.create(account, to);
        const moments = [Date.UTC(2025, 0, 3), Date.UTC(2024, 5, 2), Date.UTC(2025, 2, 1)];
        for (const [n, arrivedAt] of moments.entries()) {
          yield* control.append(account, from, numberedMessage(n), {
            arrivedAt,
            flags: n === 1 ? ["\\Seen", "\\Flagged"] : [],
          });
        }
        assert.strictEqual(yield* moveSome(account, from, to), 3);
        const there = yield* subjects(account, to);
        assert.deepStrictEqual(
          there.map(({ subject, arrivedAt, unread, flagged }) => [subject, arrivedAt, unread, flagged]),
          moments.map((arrivedAt, n) => [`message ${n}`, arrivedAt, n !== 1, n === 1]),
        );
        assert.deepInclude(yield* statusOf(account, from), { total: 0 });
        assert.strictEqual(yield* moveSome(account, from, to), 0);
        yield* control.append(account, from, numberedMessage(9));
        assert.strictEqual(yield* moveSome(account, from, to), 1);
        assert.deepInclude(yield* statusOf(account, to), { total: 4 });
      }),
    );

    it.effect("moves more messages than fit into one command, each once, even identical ones", () =>
      Effect.gen(function* () {
        const { account, prefix, changes } = yield* start;
        const control = yield* MailServerControl;
        const [from, to] = [`${prefix}Many`, `${prefix}All`];
        yield* changes.create(account, from);
        yield* changes.create(account, to);
        const arrivedAt = Date.UTC(2025, 0, 1);
        for (let n = 0; n < 520; n++) yield* control.append(account, from, numberedMessage(n % 400), { arrivedAt });
        let count = 0;
        for (let some = 1; some > 0; count += some) some = yield* moveSome(account, from, to);
        assert.strictEqual(count, 520);
        const there = (yield* subjects(account, to)).map(({ subject }) => subject);
        assert.sameMembers(
          there,
          Array.from({ length: 520 }, (_, n) => `message ${n % 400}`),
        );
      }),
    );

    it.effect("moves nothing from a missing mailbox, and loses nothing without a destination", () =>
      Effect.gen(function* () {
        const { account, prefix, changes } = yield* start;
        const control = yield* MailServerControl;
        const none = yield* errorOf(changes.nextBatch(account, `${prefix}None`, "INBOX"));
        assert.strictEqual(none._tag, "FolderNotFound");
        yield* control.append(account, "INBOX", plainMessage("here"));
        const lost = yield* errorOf(moveSome(account, "INBOX", `${prefix}None`));
        assert.strictEqual(lost._tag, "MailServerError");
        assert.deepInclude(yield* statusOf(account, "INBOX"), { total: 1 });
      }),
    );
  });

/**
 * The further contract of `MailboxChanges` on a server without MOVE: the copies of an interrupted move are not
 * repeated.
 */
export const copiesContract = <E>(
  name: string,
  ports: Layer.Layer<MailboxChanges | MailboxTree | CredentialVault | MailServerControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("recognises copies, one for each, by Message-ID, arrival and size [S4.6-14]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const changes = yield* MailboxChanges;
        yield* changes.create(account, "From");
        yield* changes.create(account, "To");
        const at = (day: number) => ({ arrivedAt: Date.UTC(2025, 0, day) });
        // A message that was present before the move and is identical to a later copy.
        const before = yield* control.append(account, "To", numberedMessage(3), at(3));
        for (const n of [1, 1, 2, 3]) yield* control.append(account, "From", numberedMessage(n), at(n));
        // The copies of an interrupted move: one of two identical messages, and one with another arrival time.
        yield* control.append(account, "To", numberedMessage(1), at(1));
        yield* control.append(account, "To", numberedMessage(2), at(20));
        const lastUid = 4;
        const batch = { mailbox: "From", lastUid, count: 4, copiedFrom: before + 1 };
        assert.strictEqual((yield* changes.moveBatch(account, batch, "To")).length, 4);
        assert.deepStrictEqual(yield* changes.moveBatch(account, batch, "To"), [], "all of it has moved");
        const listed = yield* (yield* MailboxTree).list(account);
        const total = (path: string) => listed.find((mailbox) => mailbox.path === path)?.status?.total;
        assert.deepStrictEqual([total("From"), total("To")], [0, 6]);
      }),
    );

    it.effect("keeps messages that another client marked as deleted or that arrive meanwhile", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const changes = yield* MailboxChanges;
        yield* changes.create(account, "To");
        const arrivedAt = Date.UTC(2025, 0, 1);
        for (let n = 0; n < 500; n++) yield* control.append(account, "INBOX", numberedMessage(n), { arrivedAt });
        yield* control.append(account, "INBOX", numberedMessage(999), { flags: ["\\Deleted"] });
        assert.strictEqual(yield* moveSome(account, "INBOX", "To"), 500);
        const listed = yield* (yield* MailboxTree).list(account);
        assert.strictEqual(listed[0]?.status?.total, 1);
      }),
    );
  });
