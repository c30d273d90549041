import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import type { ListedMailbox } from "@postern/core/mail";
import { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { Effect, type Layer, Redacted } from "effect";
import { FOLDER_NAMES } from "../../fixtures/folder-names.ts";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

/**
 * The contract of `MailboxTree` (spec 4): all mailboxes, named in Unicode, with their current counts. `refuses` are
 * names that the server under test does not accept. A server that marks no special folders has roles by names. A server
 * without UIDNEXT in STATUS reports null. A single refusal without an explanation (`NO` without a response code) does
 * not count. All names but INBOX begin with `prefix`.
 */
export const mailboxTreeContract = <E>(
  name: string,
  ports: Layer.Layer<MailboxTree | CredentialVault | MailServerControl, E>,
  {
    refuses = /(?!)/,
    marks = true,
    countsUids = true,
    explains = true,
    prefix = "",
  }: {
    readonly refuses?: RegExp;
    readonly marks?: boolean;
    readonly countsUids?: boolean;
    readonly explains?: boolean;
    readonly prefix?: string;
  } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const nextAfter = (uid: number) => (countsUids ? uid + 1 : null);
    const list = (account: AccountId) => Effect.flatMap(MailboxTree, (tree) => tree.list(account));
    const find = (listed: ReadonlyArray<ListedMailbox>, path: string) => {
      const found = listed.filter((mailbox) => mailbox.path === path);
      assert.strictEqual(found.length, 1, `${path} among ${listed.map((mailbox) => mailbox.path).join(", ")}`);
      return found[0]!;
    };
    const statusOf = Effect.fnUntraced(function* (account: AccountId, path: string) {
      const { status } = find(yield* list(account), path);
      assert.isNotNull(status);
      return status!;
    });
    const delimiterOf = Effect.fnUntraced(function* (account: AccountId) {
      const { delimiter } = find(yield* list(account), "INBOX");
      assert.isNotNull(delimiter);
      return delimiter!;
    });

    it.effect("lists an empty account: INBOX first, special folders with their roles, all empty", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const listed = yield* list(account);
        assert.strictEqual(listed[0]?.path, "INBOX");
        assert.deepStrictEqual(Object.fromEntries(listed.map(({ path, role }) => [path, role])), {
          INBOX: "inbox",
          [`${prefix}Sent`]: "sent",
          [`${prefix}Drafts`]: "drafts",
          [`${prefix}Junk`]: "junk",
          [`${prefix}Trash`]: "trash",
        });
        assert.strictEqual(new Set(listed.map(({ path }) => path)).size, listed.length);
        for (const { path, delimiter, status, ...mailbox } of listed) {
          assert.deepStrictEqual([mailbox.prefix, delimiter], [prefix, listed[0]!.delimiter], path);
          assert.deepInclude(status, { total: 0, unread: 0, uidNext: nextAfter(0) }, path);
          assert.isTrue(Number.isInteger(status!.uidValidity) && status!.uidValidity > 0, path);
        }
      }),
    );

    it.effect("returns names of every script unchanged and without a role", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account } = yield* signedInAccount;
        const before = (yield* list(account)).map((mailbox) => mailbox.path);
        const names = FOLDER_NAMES.filter((path) => !refuses.test(path)).map((name) => prefix + name);
        const uids = new Map<string, number>();
        for (const path of names) {
          yield* control.createMailbox(account, path);
          uids.set(path, yield* control.append(account, path, plainMessage("one")));
        }
        const listed = yield* list(account);
        assert.sameMembers(
          listed.map((mailbox) => mailbox.path),
          [...before, ...names],
        );
        for (const path of names) {
          const mailbox = find(listed, path);
          if (marks) assert.isNull(mailbox.role, path);
          assert.deepInclude(mailbox.status, { total: 1, unread: 1, uidNext: nextAfter(uids.get(path)!) }, path);
        }
      }),
    );

    it.effect("lists nested folders with all their parents", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account } = yield* signedInAccount;
        const delimiter = yield* delimiterOf(account);
        const deep = [`${prefix}Plans`, "2025", "Großes"].join(delimiter);
        yield* control.createMailbox(account, deep);
        yield* control.append(account, deep, plainMessage("deep"));
        const listed = yield* list(account);
        assert.deepInclude(find(listed, deep), { role: null, delimiter });
        assert.deepInclude(find(listed, deep).status, { total: 1, unread: 1 });
        for (const parent of [`${prefix}Plans`, `${prefix}Plans${delimiter}2025`]) {
          const { status, role } = find(listed, parent);
          assert.isNull(role);
          if (status !== null) assert.deepInclude(status, { total: 0, unread: 0 });
        }
        const inSent = `${prefix}Sent${delimiter}2025`;
        yield* control.createMailbox(account, inSent);
        assert.isNull(find(yield* list(account), inSent).role);
        assert.strictEqual(find(yield* list(account), `${prefix}Sent`).role, "sent");
      }),
    );

    for (const path of ["INBOX", `${prefix}Work`]) {
      it.effect(`returns the current counts of ${path} [S4.1-2]`, () =>
        Effect.gen(function* () {
          const control = yield* MailServerControl;
          const { account } = yield* signedInAccount;
          if (path !== "INBOX") yield* control.createMailbox(account, path);
          const { uidValidity } = yield* statusOf(account, path);
          const expecting = Effect.fnUntraced(function* (total: number, unread: number, last: number) {
            const status = yield* statusOf(account, path);
            assert.deepInclude(status, { total, unread, uidNext: nextAfter(last), uidValidity });
          });
          const first = yield* control.append(account, path, plainMessage("one"));
          yield* expecting(1, 1, first);
          const second = yield* control.append(account, path, plainMessage("two"), { flags: ["\\Seen"] });
          yield* expecting(2, 1, second);
          yield* control.setFlags(account, path, second, ["\\Flagged"]);
          yield* expecting(2, 2, second);
          yield* control.setFlags(account, path, first, ["\\Seen", "\\Answered"]);
          yield* expecting(2, 1, second);
          yield* control.expunge(account, path, [second]);
          yield* expecting(1, 0, second);
          yield* control.expunge(account, path, [first]);
          yield* expecting(0, 0, second);
        }),
      );
    }

    it.effect("returns a current listing to each of many concurrent calls", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account } = yield* signedInAccount;
        let begun = 0;
        let there = 0;
        const addAndLook = Effect.gen(function* () {
          begun++;
          yield* control.append(account, "INBOX", plainMessage("one more"));
          const atLeast = ++there;
          const { total } = yield* statusOf(account, "INBOX");
          assert.isAtLeast(total, atLeast);
          assert.isAtMost(total, begun);
        });
        yield* Effect.replicateEffect(Effect.replicateEffect(addAndLook, 5), 8, { concurrency: "unbounded" });
        assert.deepInclude(yield* statusOf(account, "INBOX"), { total: 40, unread: 40 });
      }),
    );

    it.effect("follows folders being created, renamed, deleted and recreated", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account } = yield* signedInAccount;
        const paths = Effect.map(list(account), (listed) => listed.map((mailbox) => mailbox.path));
        const empty = yield* paths;
        yield* control.createMailbox(account, `${prefix}Before`);
        const uid = yield* control.append(account, `${prefix}Before`, plainMessage("kept"));
        const before = yield* statusOf(account, `${prefix}Before`);
        yield* control.renameMailbox(account, `${prefix}Before`, `${prefix}After`);
        assert.sameMembers(yield* paths, [...empty, `${prefix}After`]);
        const after = yield* statusOf(account, `${prefix}After`);
        assert.deepInclude(after, { total: 1, uidValidity: before.uidValidity, mailboxId: before.mailboxId });
        if (countsUids) assert.isAtLeast(after.uidNext!, uid + 1);
        yield* control.deleteMailbox(account, `${prefix}After`);
        assert.sameMembers(yield* paths, empty);
        // A Dovecot session that saw a mailbox missing does not see it again within the same second.
        yield* Effect.sleep("1100 millis");
        yield* control.createMailbox(account, `${prefix}After`);
        const again = yield* statusOf(account, `${prefix}After`);
        assert.deepInclude(again, { total: 0, unread: 0 });
        assert.notStrictEqual(again.uidValidity, after.uidValidity);
        if (after.mailboxId !== null) assert.notStrictEqual(again.mailboxId, after.mailboxId);
      }),
    );

    it.effect("keeps one order over repeated and concurrent calls", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account } = yield* signedInAccount;
        for (let n = 0; n < 40; n++) yield* control.createMailbox(account, `${prefix}Folder ${(n * 7) % 40}`);
        const first = yield* list(account);
        assert.strictEqual(first.length, 45);
        assert.strictEqual(first[0]?.path, "INBOX");
        const others = yield* Effect.forEach(Array.from({ length: 12 }), () => list(account), {
          concurrency: "unbounded",
        });
        for (const other of others) assert.deepStrictEqual(other, first);
      }),
    );

    it.effect("separates accounts", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const { account: one } = yield* signedInAccount;
        const { account: other } = yield* signedInAccount;
        yield* control.createMailbox(one, `${prefix}Private`);
        yield* control.append(one, "INBOX", plainMessage("private"));
        const seen = yield* list(other);
        assert.isUndefined(seen.find((mailbox) => mailbox.path === `${prefix}Private`));
        assert.deepInclude(seen[0]?.status, { total: 0, unread: 0 });
      }),
    );

    it.effect("fails while the stored credential is rejected, until it is replaced", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const { account, credential } = yield* (yield* MailServerControl).newAccount;
        const refused = Effect.map(errorOf(list(account)), (error) => error._tag);
        assert.strictEqual(yield* refused, "MailboxCredentialsRejected");
        yield* vault.keep(account, {
          _tag: "Password",
          username: credential.username,
          password: Redacted.make("stale"),
        });
        const after = explains ? "MailboxCredentialsRejected" : "MailServerError";
        assert.strictEqual(yield* refused, after);
        if (explains) assert.strictEqual((yield* errorOf(vault.reveal(account)))._tag, after);
        assert.strictEqual(yield* refused, after);
        yield* vault.keep(account, credential);
        assert.strictEqual((yield* list(account))[0]?.path, "INBOX");
      }),
    );
  });
