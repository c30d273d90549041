import type { ConnectionCause } from "./ConnectionCause.ts";

/** How a mail server refused a sign-in or turned a client away. */
export interface Refusal {
  /** The server's text, with the response codes in it. */
  readonly text: string;
  /** The SASL mechanisms that the server announced, in upper case. */
  readonly mechanisms: ReadonlyArray<string>;
}

/**
 * The phrases of servers and providers, the more specific first: Gmail, Microsoft 365 and Outlook, Yahoo, Zoho, iCloud,
 * Mail.ru, Yandex, QQ, 163, Dovecot, Exchange.
 */
const PHRASES: ReadonlyArray<readonly [ConnectionCause, RegExp]> = [
  // Yandex names two possible reasons in one text.
  ["auth_refused", /invalid credentials or imap is disabled/i],
  [
    "app_password_required",
    /app(lication)?[- ](specific[- ])?password|InvalidSecondFactor|authorization code|parol prilozheniya|two[- ](factor|step)/i,
  ],
  [
    "basic_auth_disabled",
    /basic ?auth(entication)? ?(is |has been )?(disabled|blocked)|BasicAuthBlocked|LogonDenied-BasicAuth|SmtpClientAuthentication is disabled|server unavailable\. 15/i,
  ],
  [
    "imap_disabled",
    /not enabled for imap|enable (your account for )?imap|yet to enable imap|(imap|pop3?\/imap|imap\/pop3?)4?( access| service)? (is |has been |are )?(disabled|not enabled|not activated|turned off|not allowed)|does not have access rights to this service|service is not open/i,
  ],
  ["oauth_required", /oauth|modern authentication|web login required/i],
  [
    "too_many_connections",
    /\[(LIMIT|UNAVAILABLE|INUSE|OVERQUOTA|SERVERBUG|CONTACTADMIN)\b|^4\d\d[ -]|too many|(connection|rate|session|login).{0,40}(limit|exceeded)|throttl|try again|temporar|mail_max_userip/i,
  ],
];

const PASSWORD_MECHANISMS = /^(PLAIN|LOGIN|CRAM-MD5|DIGEST-MD5|NTLM|SCRAM-)/;
const OAUTH_MECHANISMS = /^(XOAUTH2|OAUTHBEARER)$/;

/** Whether a server takes tokens and no passwords. */
export const takesOnlyTokens = (mechanisms: ReadonlyArray<string>): boolean =>
  mechanisms.some((mechanism) => OAUTH_MECHANISMS.test(mechanism)) &&
  !mechanisms.some((mechanism) => PASSWORD_MECHANISMS.test(mechanism));

/** Returns the cause of a refusal by what the server said; a refused credential if it said nothing else. */
export const refusalCause = ({ text, mechanisms }: Refusal): ConnectionCause => {
  const known = PHRASES.find(([, phrase]) => phrase.test(text));
  if (known !== undefined) return known[0];
  return takesOnlyTokens(mechanisms) ? "oauth_required" : "auth_refused";
};

/** Causes that are about passwords: for a token, their phrases say only that it is refused. */
const OF_PASSWORDS: ReadonlySet<ConnectionCause> = new Set([
  "app_password_required",
  "oauth_required",
  "basic_auth_disabled",
]);

/** Returns the cause of the refusal of an access token. */
export const tokenRefusalCause = (text: string): ConnectionCause => {
  const cause = refusalCause({ text, mechanisms: [] });
  return OF_PASSWORDS.has(cause) ? "auth_refused" : cause;
};
