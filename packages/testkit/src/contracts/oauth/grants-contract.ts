import { assert, layer } from "@effect/vitest";
import { CredentialVault } from "@postern/core/auth";
import { type Grant, oauthJson, Grants } from "@postern/core/oauth";
import type { AccountId, Transaction } from "@postern/core/shared";
import { Effect, type Layer, Option, Redacted } from "effect";
import { assertChangesWait } from "../assert-changes-wait.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const grantOf = (account: AccountId, over: Partial<Grant> = {}): Grant => ({
  account,
  username: account,
  app: "google",
  refreshToken: Redacted.make("refresh-1"),
  issuedBy: "google",
  identity: { issuer: "https://accounts.example", subject: "42" },
  delegateOf: null,
  state: "active",
  accessToken: { token: Redacted.make("access-1"), issuedAt: 1_000, expiresAt: 3_601_000 },
  lease: null,
  interrupted: false,
  renewedAt: null,
  fault: null,
  failures: 0,
  retryAt: null,
  ...over,
});

const WITHOUT_TOKENS: Partial<Grant> = {
  refreshToken: null,
  issuedBy: null,
  identity: null,
  accessToken: null,
  state: "needs_reauth",
  lease: { token: "l", until: 7 },
  interrupted: true,
  renewedAt: 5,
  fault: "password_changed",
  failures: 3,
  retryAt: 9,
};

/** Returns a whole grant as text, because its secrets can only be compared as text. */
const textOf = (grant: Option.Option<Grant>) => Option.getOrNull(Option.map(grant, oauthJson.grant.write));

/** The contract of `Grants`: a grant replaces a password as the account's credential. */
export const grantsContract = (name: string, live: Layer.Layer<Grants | CredentialVault | Transaction, unknown>) =>
  layer(live as Layer.Layer<Grants | CredentialVault | Transaction>)(name, (it) => {
    it.effect("finds a grant as it was stored, including its tokens", () =>
      Effect.gen(function* () {
        const grants = yield* Grants;
        const account = yield* freshAccount;
        assert.isTrue(Option.isNone(yield* grants.find(account)));
        for (const over of [{}, WITHOUT_TOKENS, { delegateOf: yield* freshAccount }]) {
          const grant = grantOf(account, over);
          yield* grants.keep(grant);
          assert.strictEqual(textOf(yield* grants.find(account)), oauthJson.grant.write(grant));
        }
      }),
    );

    it.effect("lets a change that changes nothing wait for another transaction, and the other for it", () =>
      Effect.gen(function* () {
        const grants = yield* Grants;
        const account = yield* freshAccount;
        yield* grants.keep(grantOf(account));
        yield* assertChangesWait(
          grants.change(account, (grant) => [grant.failures, grant]),
          grants.change(account, (grant) => [grant.failures, { ...grant, failures: grant.failures + 1 }]),
        );
      }),
    );

    it.effect("is the credential in the vault, with a new version each time it is kept [S11.2-10]", () =>
      Effect.gen(function* () {
        const grants = yield* Grants;
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* vault.keep(account, { _tag: "Password", username: account, password: Redacted.make("p") });
        const before = yield* vault.version(account);
        yield* vault.markRejected(account, before);
        yield* grants.keep(grantOf(account, { username: "Me@Example.org" }));
        const kept = yield* vault.reveal(account);
        assert.deepInclude(kept, { _tag: "Grant", username: "Me@Example.org" });
        assert.notStrictEqual(kept.version, before);
        yield* grants.keep(grantOf(account));
        assert.notStrictEqual(yield* vault.version(account), kept.version);
      }),
    );

    it.effect("ends when a password is kept, or when the vault erases the credential [S11.2-10]", () =>
      Effect.gen(function* () {
        const grants = yield* Grants;
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* grants.keep(grantOf(account));
        yield* vault.keep(account, { _tag: "Password", username: account, password: Redacted.make("p") });
        assert.isTrue(Option.isNone(yield* grants.find(account)));
        assert.isTrue(Option.isNone(yield* grants.change(account, (grant) => [1, grant])));
        yield* grants.keep(grantOf(account));
        yield* vault.eraseUnless(account, Effect.succeed(false));
        assert.isTrue(Option.isNone(yield* grants.find(account)));
      }),
    );

    it.effect("changes a grant without a new version and without ending its rejection", () =>
      Effect.gen(function* () {
        const grants = yield* Grants;
        const vault = yield* CredentialVault;
        const account = yield* freshAccount;
        yield* grants.keep(grantOf(account));
        const version = yield* vault.version(account);
        const after = grantOf(account, { refreshToken: Redacted.make("refresh-2") });
        assert.deepStrictEqual(yield* grants.change(account, () => ["answer", after]), Option.some("answer"));
        assert.strictEqual(textOf(yield* grants.find(account)), oauthJson.grant.write(after));
        assert.strictEqual(yield* vault.version(account), version);
        yield* vault.markRejected(account, version);
        yield* grants.change(account, (grant) => [undefined, { ...grant, failures: 1 }]);
        assert.isNotNull(Option.getOrThrow(yield* vault.find(account)).rejectedAt);
      }),
    );

    it.effect("loses none of the changes that are made at once", () =>
      Effect.gen(function* () {
        const grants = yield* Grants;
        const account = yield* freshAccount;
        yield* grants.keep(grantOf(account));
        const once = grants.change(account, (grant) => [undefined, { ...grant, failures: grant.failures + 1 }]);
        yield* Effect.all(
          Array.from({ length: 20 }, () => once),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(Option.getOrThrow(yield* grants.find(account)).failures, 20);
      }),
    );

    it.effect("lists the mailboxes that an account's tokens open too", () =>
      Effect.gen(function* () {
        const grants = yield* Grants;
        const owner = yield* freshAccount;
        const shared = [yield* freshAccount, yield* freshAccount].toSorted();
        yield* grants.keep(grantOf(owner));
        for (const account of shared) yield* grants.keep(grantOf(account, { delegateOf: owner }));
        assert.deepStrictEqual(yield* grants.listDelegates(owner), shared);
        yield* grants.keep(grantOf(shared[0]!));
        assert.deepStrictEqual(yield* grants.listDelegates(owner), shared.slice(1));
      }),
    );
  });
