import { inspect } from "node:util";
import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault, type MailCredential } from "@postern/core/auth";
import { Effect, type Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { freshAccount } from "../../fresh-account.ts";

const credential = (username: string, password: string): MailCredential => ({
  username,
  password: Redacted.make(password),
});

const assertReveals = Effect.fnUntraced(function* (account: AccountId, username: string, password: string) {
  const vault = yield* CredentialVault;
  const kept = yield* vault.reveal(account);
  assert.strictEqual(yield* vault.version(account), kept.version);
  assert.strictEqual(kept.username, username);
  assert.strictEqual(Redacted.value(kept.password), password);
  return kept.version;
});

const assertRefused = Effect.fnUntraced(function* (account: AccountId) {
  const vault = yield* CredentialVault;
  for (const asked of [vault.reveal(account), vault.version(account)]) {
    assert.instanceOf(yield* Effect.flip<unknown, unknown, never>(asked), MailboxCredentialsRejected);
  }
});

/** What every vault of mail credentials promises (spec 3). */
export const credentialVaultContract = (name: string, live: Layer.Layer<CredentialVault, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("reveals what was kept, as often as it is asked", () =>
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

    it.effect("refuses an account that has none", () => Effect.flatMap(freshAccount, assertRefused));

    it.effect("puts a credential in the place of the one before, under a version never used", () =>
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

    it.effect("makes the account usable again when a credential is kept, the same one too", () =>
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

    it.effect("hands out each rejection of the credential in force once", () =>
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

    it.effect("takes no notice of the rejection of an older version", () =>
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

    it.effect("takes no notice of the rejection of a version it never gave", () =>
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

    it.effect("holds accounts apart", () =>
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

    it.effect("keeps the password redacted however what it reveals is printed", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("me@postern.test", "canary-7f3a"));
        const kept = yield* vault.reveal(account);
        assert.isTrue(Redacted.isRedacted(kept.password));
        const printed = [
          String(kept.password),
          JSON.stringify(kept),
          inspect(kept, { depth: null, showHidden: true }),
          Object.values(kept).join(),
        ];
        for (const text of printed) assert.notInclude(text, "canary-7f3a");
      }),
    );

    it.effect("erases an unused credential, and keeps one that is in use", () =>
      Effect.gen(function* () {
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, credential("me@postern.test", "kept"));
        yield* vault.eraseUnless(account, Effect.succeed(true));
        yield* assertReveals(account, "me@postern.test", "kept");
        assert.strictEqual(yield* Effect.flip(vault.eraseUnless(account, Effect.fail("unknown"))), "unknown");
        yield* assertReveals(account, "me@postern.test", "kept");
        yield* vault.eraseUnless(account, Effect.succeed(false));
        yield* assertRefused(account);
        yield* vault.eraseUnless(account, Effect.succeed(false));
      }),
    );

    it.effect("gives a credential kept after one was erased a version of its own", () =>
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

    it.effect("never erases what a sign-in at the same moment keeps", () =>
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
  });
