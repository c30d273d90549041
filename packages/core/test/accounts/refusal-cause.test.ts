import { assert, describe, it } from "@effect/vitest";
import { type ConnectionCause, isExplained, refusalCause, tokenRefusalCause } from "../../src/accounts/index.ts";

/** Refusals of servers, as they were sent. */
const REFUSALS: ReadonlyArray<readonly [ConnectionCause, string]> = [
  ["auth_refused", "[AUTHENTICATIONFAILED] Authentication failed."],
  ["auth_refused", "[AUTHENTICATIONFAILED] Invalid credentials (Failure)"],
  [
    "auth_refused",
    "535-5.7.8 Username and Password not accepted. For more information, go to\n535 5.7.8  https://support.google.com/mail/?p=BadCredentials x",
  ],
  ["auth_refused", "AUTHENTICATE failed."],
  ["auth_refused", "LOGIN failed."],
  ["auth_refused", "535 5.7.3 Authentication unsuccessful"],
  ["auth_refused", "535 5.7.139 Authentication unsuccessful, the user credentials were incorrect."],
  ["auth_refused", "[AUTHENTICATIONFAILED] LOGIN invalid credentials or IMAP is disabled"],
  [
    "app_password_required",
    "[ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)",
  ],
  [
    "app_password_required",
    "534-5.7.9 Application-specific password required. For more information, go to\n534 5.7.9  https://support.google.com/mail/?p=InvalidSecondFactor x",
  ],
  ["app_password_required", "[ALERT] Please use an application specific password to sign in"],
  ["app_password_required", "535 5.7.0 NEOBHODIM parol prilozheniya / Application password is REQUIRED"],
  ["app_password_required", "Please use an app password"],
  ["app_password_required", "Login fail. Please use the authorization code to log in"],
  ["basic_auth_disabled", "AUTHENTICATE failed: basic authentication is disabled."],
  ["basic_auth_disabled", "Basic authentication is disabled."],
  [
    "basic_auth_disabled",
    "535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0PR.eurprd.prod.outlook.com]",
  ],
  [
    "basic_auth_disabled",
    "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.",
  ],
  ["basic_auth_disabled", "[AUTHENTICATIONFAILED] LOGIN failed BasicAuthBlocked"],
  [
    "imap_disabled",
    "[ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account for IMAP access. (Failure)",
  ],
  ["imap_disabled", "[ALERT] You are yet to enable IMAP for your account. Please contact your administrator"],
  ["imap_disabled", "IMAP access is disabled for your domain"],
  ["imap_disabled", "POP3/IMAP is disabled"],
  ["imap_disabled", "LOGIN This user does not have access rights to this service"],
  ["oauth_required", "Password sign-in is off; use OAuth 2.0"],
  ["too_many_connections", "[LIMIT] too many connections"],
  [
    "too_many_connections",
    "[UNAVAILABLE] Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)",
  ],
  ["too_many_connections", "[ALERT] Too many simultaneous connections. (Failure)"],
  ["too_many_connections", "421 4.7.0 Too many concurrent connections"],
  ["unavailable", "Server Unavailable. 15"],
  ["unavailable", "Request is throttled. Suggested Backoff Time: 299961 milliseconds"],
  ["unavailable", "[UNAVAILABLE] later"],
  ["unavailable", "[OVERQUOTA] Account exceeded command or bandwidth limits"],
  ["unavailable", "454 4.7.0 Temporary authentication failure"],
  ["unavailable", "550 4.7.0 Temporary authentication failure"],
];

describe("the cause of a refusal", () => {
  it.each(REFUSALS)("is %s for %j", (cause, text) => {
    assert.strictEqual(refusalCause({ text, mechanisms: ["PLAIN", "XOAUTH2"] }), cause);
  });

  it("is a needed token if the server offers no mechanism for passwords", () => {
    const of = (...mechanisms: ReadonlyArray<string>) => refusalCause({ text: "no", mechanisms });
    assert.strictEqual(of("XOAUTH2", "OAUTHBEARER"), "oauth_required");
    assert.strictEqual(of("OAUTHBEARER"), "oauth_required");
    for (const password of ["PLAIN", "LOGIN", "CRAM-MD5", "SCRAM-SHA-256"]) {
      assert.strictEqual(of("XOAUTH2", password), "auth_refused", password);
    }
    assert.strictEqual(of(), "auth_refused");
  });

  it("counts as explained by a response code or an SMTP reply code, never by text alone [S10.3-7]", () => {
    for (const text of [
      "[AUTHENTICATIONFAILED] no",
      "[AUTHORIZATIONFAILED] no",
      "[EXPIRED] no",
      "[ALERT] Application-specific password required",
      "535 5.7.8 Username and Password not accepted",
    ]) {
      assert.isTrue(isExplained(text), text);
    }
    for (const text of [
      "",
      "LOGIN failed.",
      "Invalid credentials",
      "Basic authentication is disabled.",
      "[ALERT] no",
    ]) {
      assert.isFalse(isExplained(text), text);
    }
  });

  it("is a refused token if the server mentions passwords", () => {
    const ofPasswords = ["app_password_required", "oauth_required", "basic_auth_disabled"];
    for (const [cause, text] of REFUSALS) {
      assert.strictEqual(tokenRefusalCause(text), ofPasswords.includes(cause) ? "auth_refused" : cause, text);
    }
  });
});
