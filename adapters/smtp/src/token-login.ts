import type { TokenCredential } from "@postern/core/auth";
import { Redacted } from "effect";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionAuth, SMTPConnectionCustomAuthContext } from "nodemailer/lib/smtp-connection";
import { ehloLines } from "./nodemailer-internals.ts";

/** The mechanisms for access tokens, the preferred first. */
const MECHANISMS = ["OAUTHBEARER", "XOAUTH2"] as const;
type Mechanism = (typeof MECHANISMS)[number];

/**
 * The name of the handler's method. No mechanism of nodemailer has this name, so the handler never gets a password, and
 * no other mechanism gets a token.
 */
const METHOD = "ACCESS-TOKEN";

/** Returns the SASL mechanisms that a server announced, in upper case. */
export const mechanismsOf = (connection: SMTPConnection): ReadonlyArray<string> =>
  ehloLines(connection).flatMap((line) => (/^AUTH[ =]/i.test(line) ? line.slice(5).toUpperCase().split(/[ =]+/) : []));

/** Returns the argument of nodemailer's `login` for a token; undefined if the server accepts no tokens. */
export const tokenAuth = (
  connection: SMTPConnection,
  { username: user, token }: TokenCredential,
): SMTPConnectionAuth | undefined => {
  const announcedOnes = mechanismsOf(connection);
  const mechanism = MECHANISMS.find((each) => announcedOnes.includes(each));
  return mechanism && { method: METHOD, user, pass: Redacted.value(token), options: { mechanism } };
};

const signIn = async (login: SMTPConnectionCustomAuthContext): Promise<void> => {
  const { user, pass: token, options } = login.auth.credentials;
  const { mechanism } = options as { readonly mechanism: Mechanism };
  const initial = Buffer.from(initialResponse[mechanism](user, token)).toString("base64");
  let reply = await login.sendCommand(`AUTH ${mechanism} ${initial}`);
  // The server gives the reason in a challenge, and refuses only after an answer to it (RFC 7628, 3.2.3).
  if (reply.status === 334) reply = await login.sendCommand(mechanism === "OAUTHBEARER" ? "AQ==" : "");
  if (reply.status !== 235) throw new Error("the server refused the access token");
};

const initialResponse: { readonly [M in Mechanism]: (user: string, token: string) => string } = {
  // RFC 7628, 3.1; "," and "=" delimit the header (RFC 5801, 4).
  OAUTHBEARER: (user, token) =>
    `n,a=${user.replaceAll("=", "=3D").replaceAll(",", "=2C")},\u0001auth=Bearer ${token}\u0001\u0001`,
  XOAUTH2: (user, token) => `user=${user}\u0001auth=Bearer ${token}\u0001\u0001`,
};

/** The handler of access tokens, for nodemailer's option `customAuth`. */
export const customAuth = { [METHOD]: signIn };
