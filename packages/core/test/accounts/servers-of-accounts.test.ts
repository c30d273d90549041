import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { type Account, AccountDirectory, AccountSettings, newAccount } from "../../src/accounts/index.ts";
import { MailServersOfAccounts } from "../../src/accounts/MailServersOfAccounts.ts";
import { causeOf, isVerified, refusedVerification } from "../../src/accounts/Verification.ts";
import { MailServers } from "../../src/mail/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { at, PRESENT } from "../lifecycle/accounts-in-memory.ts";

const ME = AccountId("me@x.test");

describe("the servers of an account", () => {
  const serversOf = (id: AccountId, stored: Account | null, mode: "any" | "fixed" = "any") =>
    Effect.provide(
      Effect.flatMap(MailServers, ({ of }) => of(id)),
      Layer.provide(MailServersOfAccounts, [
        Layer.succeed(AccountSettings, { mode, servers: at("home.test"), domains: ["home.test"], signInDomains: [] }),
        Layer.mock(AccountDirectory, { find: () => Effect.succeed(Option.fromNullishOr(stored)) }),
      ]),
    );
  const known = { ...newAccount(ME, 0), servers: at("own.test") };

  it.effect("are those of the deployment for its domains, or for all accounts, otherwise its own", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* serversOf(ME, known), at("own.test"));
      assert.deepStrictEqual(yield* serversOf(ME, known, "fixed"), at("home.test"));
      assert.deepStrictEqual(yield* serversOf(AccountId("you@home.test"), known), at("home.test"));
    }),
  );

  it.effect("are missing for an account that is not stored, or stored without servers", () =>
    Effect.gen(function* () {
      for (const stored of [null, newAccount(ME, 0)]) {
        assert.strictEqual((yield* Effect.flip(serversOf(ME, stored)))._tag, "NoMailServers");
      }
    }),
  );
});

describe("the verification of an account", () => {
  const refused = refusedVerification(at("own.test"));

  it("of a grant that ended refuses both servers for good", () => {
    assert.deepStrictEqual(refused, {
      imap: { host: "own.test", port: 993, cause: "auth_refused" },
      smtp: { host: "own.test", port: 465, cause: "auth_refused" },
      capabilities: [],
      present: null,
      isUnclear: false,
    });
  });

  it("succeeds only if both servers accept the credential and INBOX has a state", () => {
    const [imap, smtp] = [
      { ...refused.imap, cause: null },
      { ...refused.smtp, cause: null },
    ];
    const right = { ...refused, imap, smtp, present: PRESENT };
    assert.isTrue(isVerified(right));
    for (const other of [{ imap: refused.imap }, { smtp: refused.smtp }, { present: null }]) {
      assert.isFalse(isVerified({ ...right, ...other }));
    }
  });

  it("shows the cause of the IMAP server, or else that of the SMTP server", () => {
    const shown = (one: "timeout" | null, other: "refused" | null) =>
      causeOf({ imap: { ...refused.imap, cause: one }, smtp: { ...refused.smtp, cause: other } });
    assert.deepStrictEqual(
      [shown("timeout", "refused"), shown(null, "refused"), shown("timeout", null), shown(null, null)],
      ["timeout", "refused", "timeout", null],
    );
  });
});
