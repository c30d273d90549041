import { inspect } from "node:util";
import { assert, layer } from "@effect/vitest";
import type { AccountId, Transaction } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault, type KeptCredential, type PasswordCredential } from "@postern/core/auth";
import { Clock, Effect, type Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { besideTransaction } from "../beside-transaction.ts";
import { errorOf } from "../error-of.ts";

const credential = (username: string, password: string): PasswordCredential => ({
  _tag: "Password",
  username,
  password: Redacted.make(password),
});

/** Returns the password of a stored credential. */
export const passwordOf = (kept: KeptCredential): string | undefined =>
  kept._tag === "Password" ? Redacted.value(kept.password) : undefined;

const assertReveals = Effect.fnUntraced(function* (account: AccountId, username: string, password: string) {
  const vault = yield* CredentialVault;
  const kept = yield* vault.reveal(account);
  assert.strictEqual(yield* vault.version(account), kept.version);
  assert.strictEqual(kept.username, username);
  assert.strictEqual(passwordOf(kept), password);
  return kept.version;
});

const find = (account: AccountId) =>
  Effect.flatMap(CredentialVault, (vault) => Effect.map(vault.find(account), Option.getOrThrow));

const assertRefused = Effect.fnUntraced(function* (account: AccountId) {
  const vault = yield* CredentialVault;
  for (const asked of [vault.reveal(account), vault.version(account), vault.hold(account)]) {
    assert.instanceOf(yield* errorOf<unknown, unknown, never>(asked), MailboxCredentialsRejected);
  }
});

/** The contract of `CredentialVault` (spec 3). */
export const credentialVaultContract = (name: string, live: Layer.Layer<CredentialVault | Transaction, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("reveals the stored credential repeatedly", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("Me@Postern.Test", "correct horse"));
        const version = yield* assertReveals(account, "Me@Postern.Test", "correct horse");
        assert.strictEqual(yield* assertReveals(account, "Me@Postern.Test", "correct horse"), version);
      }),
    );

    it.effect.each([
      "",
      " edge spaces ",
      "'; DROP TABLE account; --",
      "pässwörd 日本 💌",
      "x".repeat(4096),
      "[object Object]",
    ])("keeps the password %j to the letter", (password) =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("Jürgen+tag@postern.test", password));
        yield* assertReveals(account, "Jürgen+tag@postern.test", password);
      }),
    );

    it.effect("fails for an account without a credential", () => Effect.flatMap(freshAccount, assertRefused));

    it.effect("replaces a credential, under a version never used before", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        const versions = new Set<number>();
        for (const password of ["first", "second", "second", "first"]) {
          yield* vault.keep(account, credential("me@postern.test", password));
          versions.add(yield* assertReveals(account, "me@postern.test", password));
        }
        assert.strictEqual(versions.size, 4);
      }),
    );

    it.effect("refuses a credential once its version was marked rejected", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("me@postern.test", "stale"));
        yield* vault.markRejected(account, (yield* vault.reveal(account)).version);
        yield* assertRefused(account);
        yield* assertRefused(account);
      }),
    );

    it.effect("makes the account usable again when a credential is stored, even the same one", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        const versions = new Set<number>();
        for (let times = 0; times < 3; times++) {
          yield* vault.keep(account, credential("me@postern.test", "same"));
          const version = yield* assertReveals(account, "me@postern.test", "same");
          versions.add(version);
          yield* vault.markRejected(account, version);
          yield* assertRefused(account);
        }
        assert.strictEqual(versions.size, 3);
      }),
    );

    it.effect("lists the accounts with a credential that are not managed, in pages", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const kept = [yield* freshAccount, yield* freshAccount];
        for (const account of kept) yield* vault.keep(account, credential("me@postern.test", "kept"));
        const found: Array<string> = [];
        for (let page = yield* vault.listUnmanaged(null, 1); page.length > 0;) {
          found.push(...page);
          page = yield* vault.listUnmanaged(page[0]!, 1);
        }
        assert.includeMembers(found, kept);
        assert.strictEqual(new Set(found).size, found.length);
      }),
    );

    it.effect("returns each rejection of the current credential once", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        assert.isFalse(yield* vault.takeRejection(account));
        for (const password of ["one", "two"]) {
          yield* vault.keep(account, credential("me@postern.test", password));
          assert.isFalse(yield* vault.takeRejection(account));
          yield* vault.markRejected(account, yield* vault.version(account));
          const taken = yield* Effect.all([vault.takeRejection(account), vault.takeRejection(account)], {
            concurrency: "unbounded",
          });
          assert.sameMembers(taken, [true, false]);
        }
        yield* vault.keep(account, credential("me@postern.test", "three"));
        yield* vault.markRejected(account, yield* vault.version(account));
        yield* vault.keep(account, credential("me@postern.test", "four"));
        assert.isFalse(yield* vault.takeRejection(account), "the refused credential is no longer in force");
      }),
    );

    it.effect("ignores the rejection of an older version", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("me@postern.test", "old"));
        const { version } = yield* vault.reveal(account);
        yield* vault.keep(account, credential("me@postern.test", "new"));
        yield* vault.markRejected(account, version);
        yield* assertReveals(account, "me@postern.test", "new");
      }),
    );

    it.effect("ignores the rejection of an unknown version", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.markRejected(account, 1);
        yield* vault.keep(account, credential("me@postern.test", "good"));
        const { version } = yield* vault.reveal(account);
        yield* vault.markRejected(account, version + 1);
        yield* assertReveals(account, "me@postern.test", "good");
      }),
    );

    it.effect("separates accounts", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const mine = yield* freshAccount;
        const theirs = yield* freshAccount;
        yield* vault.keep(mine, credential("me@postern.test", "mine"));
        yield* assertRefused(theirs);
        yield* vault.keep(theirs, credential("they@postern.test", "theirs"));
        yield* assertReveals(mine, "me@postern.test", "mine");
        yield* vault.markRejected(mine, (yield* vault.reveal(mine)).version);
        yield* assertRefused(mine);
        yield* assertReveals(theirs, "they@postern.test", "theirs");
      }),
    );

    it.effect("redacts the password in every printed form", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("me@postern.test", "canary-7f3a"));
        const kept = yield* vault.reveal(account);
        const secret = kept._tag === "Password" ? kept.password : undefined;
        assert.isTrue(Redacted.isRedacted(secret));
        const printed = [
          String(secret),
          JSON.stringify(kept),
          inspect(kept, { depth: null, showHidden: true }),
          Object.values(kept).join(),
        ];
        for (const text of printed) assert.notInclude(text, "canary-7f3a");
      }),
    );

    it.effect("erases an unused credential, and keeps a used one", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("me@postern.test", "kept"));
        assert.isFalse(yield* vault.eraseUnless(account, Effect.succeed(true)));
        yield* assertReveals(account, "me@postern.test", "kept");
        assert.strictEqual(yield* errorOf(vault.eraseUnless(account, Effect.fail("unknown"))), "unknown");
        yield* assertReveals(account, "me@postern.test", "kept");
        assert.isTrue(yield* vault.eraseUnless(account, Effect.succeed(false)));
        yield* assertRefused(account);
        assert.isFalse(yield* vault.eraseUnless(account, Effect.succeed(false)));
      }),
    );

    it.effect("erases a credential only after a transaction that holds it", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("me@postern.test", "held"));
        let isUsed = false;
        const use = Effect.andThen(
          vault.hold(account),
          Effect.sync(() => void (isUsed = true)),
        );
        const inUse = Effect.sync(() => isUsed);
        const kept = yield* besideTransaction(use, vault.eraseUnless(account, inUse));
        assert.deepStrictEqual([kept.hasWaited, kept.results[1]], [true, false]);
        const erased = yield* besideTransaction(
          vault.eraseUnless(account, Effect.succeed(false)),
          errorOf(vault.hold(account)),
        );
        assert.deepStrictEqual([erased.hasWaited, erased.results[0]], [true, true]);
        assert.instanceOf(erased.results[1], MailboxCredentialsRejected);
      }),
    );

    it.effect("gives a credential stored after an erasure a new version", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        const keep = vault.keep(account, credential("me@postern.test", "same"));
        yield* TestClock.setTime(1_900_000_000_000);
        yield* keep;
        const { version } = yield* vault.reveal(account);
        yield* vault.eraseUnless(account, Effect.succeed(false));
        yield* TestClock.adjust(1);
        yield* keep;
        yield* vault.markRejected(account, version);
        yield* assertReveals(account, "me@postern.test", "same");
      }),
    );

    it.effect("never erases the credential of a concurrent sign-in", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        for (let trial = 0; trial < 20; trial++) {
          const account = yield* freshAccount;
          let signedIn = false;
          yield* vault.keep(account, credential("me@postern.test", "old"));
          const signIn = Effect.andThen(
            Effect.sync(() => (signedIn = true)),
            vault.keep(account, credential("me@postern.test", "new")),
          );
          const release = vault.eraseUnless(
            account,
            Effect.andThen(
              Effect.yieldNow,
              Effect.sync(() => signedIn),
            ),
          );
          yield* Effect.all(trial % 2 === 0 ? [release, signIn] : [signIn, release], { concurrency: "unbounded" });
          yield* assertReveals(account, "me@postern.test", "new");
        }
      }),
    );

    it.effect("finds a credential with the time of its refusal, until the same version is accepted", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        assert.isTrue(Option.isNone(yield* vault.find(account)));
        yield* vault.keep(account, credential("me@postern.test", "right"));
        const version = yield* vault.version(account);
        assert.propertyVal(yield* find(account), "rejectedAt", null);
        yield* TestClock.adjust("1 minute");
        yield* vault.markRejected(account, version);
        const rejectedAt = yield* Clock.currentTimeMillis;
        yield* TestClock.adjust("1 minute");
        yield* vault.markRejected(account, version);
        const found = yield* find(account);
        assert.deepInclude(found, { username: "me@postern.test", version, rejectedAt });
        assert.strictEqual(passwordOf(found), "right");

        assert.isFalse(yield* vault.markAccepted(account, version - 1));
        yield* assertRefused(account);
        const accept = vault.markAccepted(account, version);
        const lifted = yield* Effect.all([accept, accept], { concurrency: "unbounded" });
        assert.sameMembers(lifted, [true, false], "once per refusal, also for two at once");
        assert.strictEqual(yield* assertReveals(account, "me@postern.test", "right"), version);
        assert.isFalse(yield* vault.takeRejection(account));
        yield* vault.markRejected(account, version);
        assert.isTrue(yield* vault.takeRejection(account));
      }),
    );

    it.effect("lists the accounts whose refusal was not announced, until it was", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const [refused, accepted] = [yield* freshAccount, yield* freshAccount];
        for (const account of [refused, accepted]) yield* vault.keep(account, credential(account, "right"));
        const isListed = (account: AccountId) =>
          Effect.map(vault.listUnannounced(1_000), (accounts) => accounts.includes(account));
        assert.isFalse(yield* isListed(refused));
        yield* vault.markRejected(refused, yield* vault.version(refused));
        assert.isTrue(yield* isListed(refused));
        assert.isFalse(yield* isListed(accepted));
        assert.isAtMost((yield* vault.listUnannounced(1)).length, 1);
        yield* vault.takeRejection(refused);
        assert.isFalse(yield* isListed(refused));
      }),
    );
  });
