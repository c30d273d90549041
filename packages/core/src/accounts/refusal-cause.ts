import type { ConnectionCause } from "./ConnectionCause.ts";

/** A mail server's refusal of a sign-in or of a client. */
export interface Refusal {
  /** The server's text, including its response codes. */
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
    /basic ?auth(entication)? ?(is |has been )?(disabled|blocked)|BasicAuthBlocked|LogonDenied-BasicAuth|SmtpClientAuthentication is disabled/i,
  ],
  [
    "imap_disabled",
    /not enabled for imap|enable (your account for )?imap|yet to enable imap|(imap|pop3?\/imap|imap\/pop3?)4?( access| service)? (is |has been |are )?(disabled|not enabled|not activated|turned off|not allowed)|does not have access rights to this service|service is not open/i,
  ],
  ["oauth_required", /oauth|modern authentication|web login required/i],
  [
    "too_many_connections",
    /\[LIMIT\b|too many|maximum number of connections|(connection|session).{0,40}(limit|exceeded)|mail_max_userip/i,
  ],
  [
    "unavailable",
    /\[(UNAVAILABLE|INUSE|OVERQUOTA|SERVERBUG|CONTACTADMIN)\b|^4\d\d[ -]|^5\d\d[ -]4\.\d|(rate|login|bandwidth).{0,40}(limit|exceeded)|throttl|try again|temporar|unavailable|internal (server )?error|overload/i,
  ],
];

const PASSWORD_MECHANISMS = /^(PLAIN|LOGIN|CRAM-MD5|DIGEST-MD5|NTLM|SCRAM-)/;
const OAUTH_MECHANISMS = /^(XOAUTH2|OAUTHBEARER)$/;

/** Returns whether a server accepts only tokens and no passwords. */
export const takesOnlyTokens = (mechanisms: ReadonlyArray<string>): boolean =>
  mechanisms.some((mechanism) => OAUTH_MECHANISMS.test(mechanism)) &&
  !mechanisms.some((mechanism) => PASSWORD_MECHANISMS.test(mechanism));

/** Response codes by which a NO to a sign-in states that the credential is wrong (RFC 9051, 7.1). */
const EXPLICIT_CODES = /^\[(AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|EXPIRED)\b/i;
/** Response codes that do not tell the cause, although the text after the code may. */
const UNSPECIFIC_CODES = /^\[(ALERT|WEBALERT)\b/i;

/**
 * Returns whether the refusal of a sign-in is explicitly final. A NO without a response code is not final, because
 * servers send the same texts when they fail internally. In SMTP the reply code decides.
 */
export const isExplained = (text: string): boolean =>
  EXPLICIT_CODES.test(text) ||
  /^5\d\d[ -]/.test(text) ||
  (UNSPECIFIC_CODES.test(text) && PHRASES.some(([, phrase]) => phrase.test(text)));

/** Returns the cause of a refusal from the server's answer; by default `auth_refused`. */
export const refusalCause = ({ text, mechanisms }: Refusal): ConnectionCause => {
  const known = PHRASES.find(([, phrase]) => phrase.test(text));
  if (known !== undefined) return known[0];
  return takesOnlyTokens(mechanisms) ? "oauth_required" : "auth_refused";
};

/** Causes that apply only to passwords. If a server sends one of their phrases for a token, the token was refused. */
const PASSWORD_CAUSES: ReadonlySet<ConnectionCause> = new Set([
  "app_password_required",
  "oauth_required",
  "basic_auth_disabled",
]);

/** Returns the cause of the refusal of an access token. */
export const tokenRefusalCause = (text: string): ConnectionCause => {
  const cause = refusalCause({ text, mechanisms: [] });
  return PASSWORD_CAUSES.has(cause) ? "auth_refused" : cause;
};
