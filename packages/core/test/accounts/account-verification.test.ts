import { assert, it } from "@effect/vitest";
import { HostAdmission, type ProbeResult, ServerProbe } from "../../src/accounts/index.ts";
import { accountVerifier, verifyServers } from "../../src/lifecycle/verify-account.ts";
import type { MailServer } from "../../src/mail/index.ts";
import { AccessTokens } from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { Effect, Layer, Redacted } from "effect";

const ME = AccountId("jane@example.org");
const SERVER: MailServer = { host: "mail.test", port: 993, tls: "implicit", origin: "account" };
const ACCEPTED: ProbeResult = { _tag: "Accepted", capabilities: [], present: null };

/** Verifies a token at an IMAP server with this answer; returns the servers that saw it and the causes. */
const verify = Effect.fnUntraced(function* (answer: ProbeResult) {
  const asked: Array<string> = [];
  const probe = (kind: string, result: ProbeResult) => () => Effect.sync(() => (asked.push(kind), result));
  const layer = Layer.mergeAll(
    HostAdmission.unlimited,
    Layer.mock(AccessTokens, {}),
    Layer.succeed(ServerProbe, { imap: probe("imap", answer), smtp: probe("smtp", ACCEPTED) }),
  );
  const credential = { _tag: "AccessToken", username: ME, token: Redacted.make("token") } as const;
  const { imap, smtp } = yield* Effect.provide(
    Effect.flatMap(accountVerifier, (one) => verifyServers(one, ME, { imap: SERVER, smtp: SERVER }, credential)),
    layer,
  );
  return [asked, imap.cause, smtp.cause];
});

it.effect("a token that IMAP refused is not shown to SMTP [S11.2-4]", () =>
  Effect.gen(function* () {
    const refused = { _tag: "Failed", cause: "auth_refused" } as const;
    assert.deepStrictEqual(yield* verify(refused), [["imap"], "auth_refused", "auth_refused"]);
    assert.deepStrictEqual(yield* verify(ACCEPTED), [["imap", "smtp"], null, null]);
    const silent = { _tag: "Failed", cause: "timeout" } as const;
    assert.deepStrictEqual(yield* verify(silent), [["imap", "smtp"], "timeout", null]);
  }),
);
