import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import { AuthorizationServer, type OAuthApp, tokenServersOf } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { layer as egress } from "@postern/egress";
import { probeImap } from "@postern/imap";
import { layer as oauth } from "@postern/oauth";
import { probeSmtp } from "@postern/smtp";
import { Effect, Layer, Redacted } from "effect";
import { oauthApps } from "../src/settings/oauth-apps.ts";

const { LIVE_OAUTH_APP: text, LIVE_OAUTH_EMAIL: email, LIVE_OAUTH_GRANT: file } = process.env;

/** Tests a real provider and its mail servers, with an app and a mailbox of the person who runs the test. */
const suite = (app: OAuthApp, account: AccountId, grant: string | undefined) => {
  const live = Layer.provideMerge(oauth(), egress());

  /** Refreshes the grant in the file, or asks a user to consent by a device code; stores a rotated refresh token. */
  const delegated = Effect.gen(function* () {
    const { refresh } = yield* AuthorizationServer;
    assert(grant !== undefined, "LIVE_OAUTH_GRANT names the file of the refresh token");
    if (!existsSync(grant)) yield* consentByDevice(app, grant);
    const tokens = yield* refresh(app, Redacted.make(readFileSync(grant, "utf8").trim()));
    if (tokens.refreshToken !== null) keep(grant, tokens.refreshToken);
    return tokens.accessToken;
  });

  const accessToken =
    app.mode === "delegated"
      ? delegated
      : Effect.flatMap(AuthorizationServer, ({ issue }) =>
          Effect.map(issue(app, account), ({ accessToken }) => accessToken),
        );

  /** Signs in at both servers. */
  const signIn = Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const servers = tokenServersOf({ app, issued: null }, account).named;
    assert(servers !== null, "the app names no servers: give it imap and smtp");
    const credential = { _tag: "AccessToken", username: account, token } as const;
    const [imap, smtp] = [yield* probeImap(), yield* probeSmtp()];
    const origin = "account";
    return {
      imap: yield* imap({ ...servers.imap, origin }, credential, account),
      smtp: yield* smtp({ ...servers.smtp, origin }, credential, account),
    };
  });

  it.live("gives a token that opens the mailbox at both servers, twice", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 2; n++) {
        const { imap, smtp } = yield* signIn(yield* accessToken);
        assert.deepInclude(imap, { _tag: "Accepted" });
        assert.deepInclude(smtp, { _tag: "Accepted" });
      }
    }).pipe(Effect.provide(live)),
  );

  it.live("makes both servers refuse a wrong token as an invalid token", () =>
    Effect.gen(function* () {
      const wrong = Redacted.make(`${Redacted.value(yield* accessToken).slice(0, -8)}AAAAAAAA`);
      const refused = { _tag: "Failed", cause: "auth_refused" } as const;
      assert.deepStrictEqual(yield* signIn(wrong), { imap: refused, smtp: refused });
    }).pipe(Effect.provide(live)),
  );

  it.live("names a wrong refresh token and a wrong secret by their faults", () =>
    Effect.gen(function* () {
      const { refresh } = yield* AuthorizationServer;
      const refused = yield* Effect.flip(refresh(app, Redacted.make("wrong")));
      assert.deepInclude(refused, { _tag: "GrantRefused" });
      const secret = { _tag: "ClientSecret", value: Redacted.make("wrong") } as const;
      const unknown = yield* Effect.flip(refresh({ ...app, secret }, Redacted.make("wrong")));
      assert.deepInclude(unknown, { _tag: "AppMisconfigured" });
    }).pipe(Effect.provide(live)),
  );
};

const consentByDevice = Effect.fnUntraced(function* (app: OAuthApp, grant: string) {
  const { startDevice, pollDevice } = yield* AuthorizationServer;
  const { deviceCode, userCode, verificationUrl, interval } = yield* startDevice(app);
  process.stderr.write(`\n*** Open ${verificationUrl} and enter ${userCode}\n\n`);
  for (;;) {
    yield* Effect.sleep(interval * 1_000);
    const poll = yield* pollDevice(app, deviceCode);
    if (poll._tag === "SlowDown") yield* Effect.sleep(5_000);
    if (poll._tag === "Authorized" && poll.tokens.refreshToken !== null) return keep(grant, poll.tokens.refreshToken);
    assert.include(["Pending", "SlowDown"], poll._tag);
  }
});

const keep = (grant: string, token: Redacted.Redacted): void =>
  writeFileSync(grant, `${Redacted.value(token)}\n`, { mode: 0o600 });

if (text === undefined || email === undefined) {
  const reason = "set LIVE_OAUTH_APP and LIVE_OAUTH_EMAIL (docs/guides/oauth.md)";
  process.stderr.write(`\n*** NOT RUN: a real OAuth2 provider: ${reason}\n\n`);
  describe.skip(`a real OAuth2 provider (NOT RUN: ${reason})`, () => it("is not tried", () => {}));
} else {
  const [app] = oauthApps({ OAUTH_APPS: `[${text}]` });
  describe(`the OAuth2 provider of ${app?.id}`, () => suite(app!, AccountId(email), file));
}
