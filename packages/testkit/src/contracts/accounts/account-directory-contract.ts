import { assert, layer } from "@effect/vitest";
import {
  type Account,
  AccountDirectory,
  type AccountFilter,
  recordFailure,
  newAccount,
  setPaused,
  recordSeen,
} from "@postern/core/accounts";
import { CredentialVault } from "@postern/core/auth";
import type { AccountServers } from "@postern/core/mail";
import { AccountId, type Transaction } from "@postern/core/shared";
import { Clock, Effect, type Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { besideTransaction } from "../beside-transaction.ts";

const SERVERS: AccountServers = {
  imap: { host: "imap.example.org", port: 993, tls: "implicit", origin: "account", certificateSha256: "ab".repeat(32) },
  smtp: { host: "smtp.example.org", port: 587, tls: "starttls", origin: "account", username: "me" },
};

const ALL_ACCOUNTS: AccountFilter = { reach: null, state: null, tag: null, text: null };

/** Returns a function that names the accounts of one test: `name("b")` is in a domain that no other test has. */
const names = Effect.sync(() => {
  const domain = `d${globalThis.crypto.randomUUID()}.test`;
  return {
    domain,
    name: (local: string) => AccountId(`${local}@${domain}`),
    here: { ...ALL_ACCOUNTS, reach: [`*@${domain}`] } satisfies AccountFilter,
  };
});

const account = (id: AccountId, more: Partial<Account> = {}): Account => ({
  ...newAccount(id, 1_700_000_000_000),
  managed: true,
  ...more,
});

const keep = (id: AccountId) =>
  Effect.flatMap(CredentialVault, (vault) =>
    vault.keep(id, { _tag: "Password", username: id, password: Redacted.make("secret") }),
  );

/** The contract of `AccountDirectory`; `live` also provides the vault that decides which accounts exist. */
export const accountDirectoryContract = (
  name: string,
  live: Layer.Layer<AccountDirectory | CredentialVault | Transaction, unknown>,
) =>
  layer(live)(name, (it) => {
    it.effect("returns an account as it was inserted", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name } = yield* names;
        const full = account(name("full"), {
          name: "Jürgen 💌",
          pausedAt: 1,
          unreachable: { cause: "timeout", since: 2 },
          refusedCause: "app_password_required",
          provider: "fastmail",
          servers: SERVERS,
          capabilities: ["IMAP4REV1", "IDLE"],
          tags: ["a", "b c"],
          follow: "all" as const,
          generation: "Zm9v",
          lastSeenAt: 3,
        });
        assert.isTrue(Option.isNone(yield* directory.find(full.id)));
        assert.isTrue(yield* directory.insert(full));
        assert.deepStrictEqual(yield* directory.find(full.id), Option.some(full));
        assert.isFalse(yield* directory.insert(account(full.id)));
        assert.deepStrictEqual(yield* directory.find(full.id), Option.some(full));
      }),
    );

    it.effect("finds many accounts at once", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name } = yield* names;
        const ids = Array.from({ length: 50 }, (_, n) => name(`n${n}`));
        yield* Effect.forEach(ids, (id) => directory.insert(account(id)), { discard: true });
        const found = yield* Effect.forEach([...ids, name("absent")], directory.find, { concurrency: "unbounded" });
        assert.deepStrictEqual(
          found.map((one) => Option.getOrUndefined(one)?.id),
          [...ids, undefined],
        );
      }),
    );

    it.effect("keeps an account that is not managed as long as its credential is stored", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const vault = yield* CredentialVault;
        const { name, here } = yield* names;
        const guest = account(name("guest"), { managed: false });
        yield* directory.insert(guest);
        assert.isTrue(Option.isNone(yield* directory.find(guest.id)));
        assert.deepStrictEqual(yield* directory.list(here, null, 10), []);
        assert.isTrue(Option.isNone(yield* directory.change(guest.id, (one) => [1, one])));

        yield* keep(guest.id);
        assert.deepStrictEqual(yield* directory.find(guest.id), Option.some(guest));
        assert.deepStrictEqual(yield* directory.list(here, null, 10), [guest]);
        assert.isFalse(yield* directory.insert(account(guest.id, { name: "Other" })));
        yield* vault.eraseUnless(guest.id, Effect.succeed(false));
        assert.isTrue(Option.isNone(yield* directory.find(guest.id)));

        yield* keep(guest.id);
        yield* vault.eraseUnless(guest.id, Effect.succeed(false));
        assert.isTrue(yield* directory.insert({ ...guest, name: "Again", managed: true, tags: ["new"] }));
        assert.deepInclude(Option.getOrThrow(yield* directory.find(guest.id)), { name: "Again", tags: ["new"] });
      }),
    );

    it.effect("removes the rows of accounts that no longer exist, and no others", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name } = yield* names;
        const [gone, kept, managed] = [name("gone"), name("kept"), name("managed")];
        yield* directory.insert(account(gone, { managed: false, tags: ["x"] }));
        yield* directory.insert(account(kept, { managed: false }));
        yield* directory.insert(account(managed));
        yield* keep(kept);
        while ((yield* directory.removeUnused(1)) > 0);
        assert.isTrue(Option.isSome(yield* directory.find(kept)));
        assert.isTrue(Option.isSome(yield* directory.find(managed)));
        yield* keep(gone);
        assert.isTrue(Option.isNone(yield* directory.find(gone)), "the row itself is gone");
      }),
    );

    it.effect("keeps the row of an account that a transaction uses again meanwhile [S10.1-3]", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name } = yield* names;
        const [guest, managed] = [name("guest"), name("managed")];
        for (const id of [guest, managed]) yield* directory.insert(account(id, { managed: false }));
        const used = Effect.gen(function* () {
          yield* directory.insert(account(guest, { managed: false }));
          yield* keep(guest);
          yield* directory.insert(account(managed));
        });
        yield* besideTransaction(used, directory.removeUnused(10_000));
        for (const id of [guest, managed]) assert.isTrue(Option.isSome(yield* directory.find(id)), id);
      }),
    );

    it.effect("lets the vault list the accounts with a credential that are not managed, page after page", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const vault = yield* CredentialVault;
        const { name, domain } = yield* names;
        const ids = ["a", "b.1", "b1", "managed", "without-row"].map(name);
        for (const id of ids.slice(0, 4)) yield* directory.insert(account(id, { managed: id === name("managed") }));
        for (const id of ids) yield* keep(id);
        yield* directory.insert(account(name("without-credential"), { managed: false }));
        const listed = [];
        for (let after: AccountId | null = null; ;) {
          const page: ReadonlyArray<AccountId> = yield* vault.listUnmanaged(after, 2);
          listed.push(...page.filter((id) => id.endsWith(domain)));
          if (page.length < 2) break;
          after = page[1]!;
        }
        assert.deepStrictEqual(
          listed,
          ids.filter((id) => id !== name("managed")),
        );
      }),
    );

    it.effect("lists accounts by address, page after page", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name, here } = yield* names;
        const ids = ["a", "b.1", "b1", "c", "d"].map(name);
        for (const id of ids.toReversed()) yield* directory.insert(account(id));
        const first = yield* directory.list(here, null, 2);
        const second = yield* directory.list(here, first[1]!.id, 2);
        const rest = yield* directory.list(here, second[1]!.id, 2);
        assert.deepStrictEqual([...first, ...second, ...rest].map(({ id }) => id).toSorted(), ids.toSorted());
        assert.lengthOf(rest, 1);
      }),
    );

    it.effect("lists the accounts of a reach: addresses, domains and tags together", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const one = yield* names;
        const other = yield* names;
        const tag = `t-${one.domain}`;
        yield* directory.insert(account(one.name("a"), { tags: [tag] }));
        yield* directory.insert(account(one.name("b")));
        yield* directory.insert(account(other.name("c"), { tags: ["x", tag] }));
        yield* directory.insert(account(other.name("d")));
        const listed = (reach: ReadonlyArray<string>, more: Partial<AccountFilter> = {}) =>
          Effect.map(directory.list({ ...ALL_ACCOUNTS, ...more, reach }, null, 10), (found) =>
            found.map(({ id }) => id.slice(0, 1)).toSorted(),
          );
        const both = [`*@${one.domain}`, `*@${other.domain}`];
        assert.deepStrictEqual(yield* listed([]), []);
        assert.deepStrictEqual(yield* listed([`*@${one.domain}`]), ["a", "b"]);
        assert.deepStrictEqual(yield* listed([`tag:${tag}`]), ["a", "c"]);
        assert.deepStrictEqual(yield* listed([other.name("d"), one.name("absent")]), ["d"]);
        assert.deepStrictEqual(yield* listed([other.name("d"), `*@${one.domain}`, `tag:${tag}`]), ["a", "b", "c", "d"]);
        assert.deepStrictEqual(yield* listed(both, { tag }), ["a", "c"]);
        assert.deepStrictEqual(yield* listed(both, { tag: "absent" }), []);
      }),
    );

    it.effect("lists the accounts with a text in their address or name, in capitals or not", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name, here, domain } = yield* names;
        yield* directory.insert(account(name("ann.lee"), { name: "Robert MÜLLER 100%" }));
        yield* directory.insert(account(name("bob"), { name: "Ann_a" }));
        yield* directory.insert(account(name("carl")));
        yield* directory.change(name("carl"), (one) => [undefined, { ...one, name: "Straße\\ Ω" }]);
        const listed = (text: string) =>
          Effect.map(directory.list({ ...here, text }, null, 10), (found) => found.map(({ id }) => id.slice(0, 1)));
        for (const [text, found] of [
          ["ANN", ["a", "b"]],
          ["müll", ["a"]],
          ["MÜLL", ["a"]],
          ["STRASSE", []],
          ["straße\\", ["c"]],
          ["ω", ["c"]],
          [domain.toUpperCase(), ["a", "b", "c"]],
          ["%", ["a"]],
          ["_", ["b"]],
          ["'", []],
          ["n.l", ["a"]],
          ["nxl", []],
        ] as const) {
          assert.deepStrictEqual(yield* listed(text), [...found], text);
        }
        yield* directory.change(name("bob"), (one) => [undefined, { ...one, name: null }]);
        assert.deepStrictEqual(yield* listed("ann"), ["a"]);
      }),
    );

    it.effect("lists and counts accounts by state", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const vault = yield* CredentialVault;
        const { name, here } = yield* names;
        const before = yield* directory.countByState;
        const states = ["active", "needs_reauth", "paused", "unreachable"] as const;
        for (const state of states) {
          yield* directory.insert(account(name(state)));
          yield* keep(name(state));
        }
        const now = yield* Clock.currentTimeMillis;
        yield* directory.change(name("unreachable"), (one) => [undefined, recordFailure(one, "timeout", now)]);
        for (const state of ["needs_reauth", "paused"] as const) {
          yield* directory.change(name(state), (one) => [undefined, recordFailure(one, "timeout", now)]);
          yield* vault.markRejected(name(state), yield* vault.version(name(state)));
        }
        yield* directory.change(name("paused"), (one) => [undefined, setPaused(one, true, now)]);
        const after = yield* directory.countByState;
        for (const state of states) {
          const found = yield* directory.list({ ...here, state }, null, 10);
          assert.deepStrictEqual(
            found.map(({ id }) => id),
            [name(state)],
          );
          assert.isAtLeast(after[state], before[state] + 1);
        }
        assert.lengthOf(yield* directory.list(here, null, 10), 4);
      }),
    );

    it.effect("tells when the credential was refused, which a change of the account does not alter", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const vault = yield* CredentialVault;
        const { name } = yield* names;
        const id = name("refused");
        yield* directory.insert(account(id));
        yield* keep(id);
        const version = yield* vault.version(id);
        yield* TestClock.adjust("1 minute");
        yield* vault.markRejected(id, version);
        const refusedAt = yield* Clock.currentTimeMillis;
        yield* directory.change(id, (one) => [
          undefined,
          recordFailure({ ...one, refusedAt: null }, "oauth_required", 7),
        ]);
        assert.deepInclude(Option.getOrThrow(yield* directory.find(id)), {
          refusedAt,
          refusedCause: "oauth_required",
          unreachable: null,
        });
        yield* vault.markAccepted(id, version);
        yield* directory.change(id, (one) => [undefined, recordSeen(one, 8)]);
        assert.deepInclude(Option.getOrThrow(yield* directory.find(id)), {
          refusedAt: null,
          refusedCause: null,
          lastSeenAt: 8,
        });
      }),
    );

    it.effect("changes tags, by which the account is then found", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name, here } = yield* names;
        yield* directory.insert(account(name("a"), { tags: ["old"] }));
        const answer = yield* directory.change(name("a"), (one) => [one.tags, { ...one, tags: ["new"] }]);
        assert.deepStrictEqual(answer, Option.some(["old"]));
        assert.lengthOf(yield* directory.list({ ...here, tag: "old" }, null, 10), 0);
        assert.lengthOf(yield* directory.list({ ...here, tag: "new" }, null, 10), 1);
      }),
    );

    it.effect("erases an account", () =>
      Effect.gen(function* () {
        const directory = yield* AccountDirectory;
        const { name } = yield* names;
        yield* directory.insert(account(name("a"), { tags: ["x"] }));
        yield* directory.insert(account(name("b")));
        yield* directory.erase(name("a"));
        assert.isTrue(Option.isNone(yield* directory.find(name("a"))));
        assert.isTrue(Option.isSome(yield* directory.find(name("b"))));
      }),
    );
  });
