import { Schema } from "effect";
import { signInFields } from "../auth/rules.ts";
import { PositiveInt, rule, Text, textUpTo, wholeBetween } from "../shared/rules.ts";

const HEX = /^[0-9a-f]{64}$/;

/** Returns the hexadecimal digits of a fingerprint in lower case, without colons. */
export const digitsOf = (fingerprint: string): string => fingerprint.replaceAll(":", "").toLowerCase();

/** The rules of the fields of a mail server, of an account or of an OAuth2 app. */
export const serverFields = {
  host: textUpTo(253),
  port: Schema.Int.check(
    Schema.isBetween({ minimum: 1, maximum: 65535 }, { message: "must be a port number from 1 to 65535" }),
  ),
  security: Schema.Literals(["tls", "starttls"]),
  username: signInFields.email,
  certificateSha256: Text.check(
    rule((text) =>
      HEX.test(digitsOf(text))
        ? undefined
        : "must be a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons",
    ),
  ),
};

/** A mail server as a request names it. */
export const MailServerInput = Schema.Struct({
  host: serverFields.host,
  port: serverFields.port,
  security: serverFields.security,
  username: Schema.optional(serverFields.username),
  certificateSha256: Schema.optional(serverFields.certificateSha256),
});

const Tag = textUpTo(100).check(
  rule((tag) => (/^[^\s,:]+$/.test(tag) ? undefined : "must have no spaces, commas or colons")),
);

/** The rules of the fields of requests about accounts, their list and their protocol logs (spec 10.3, 10.5). */
export const accountFields = {
  id: Text,
  email: signInFields.email,
  name: Schema.NullOr(textUpTo(200)),
  password: signInFields.password,
  tags: Schema.Array(Tag).check(Schema.isMaxLength(50, { message: "must have at most 50 tags" })),
  imap: MailServerInput,
  smtp: MailServerInput,
  paused: Schema.Boolean,
  follow: Schema.Literals(["inbox", "all"]),
  state: Schema.Literals(["active", "needs_reauth", "paused", "unreachable"]),
  tag: Text,
  query: textUpTo(200),
  cursor: Text,
  limit: PositiveInt,
  minutes: wholeBetween(1, 60),
};
