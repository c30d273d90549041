import { type MailCredential, secretOf } from "@postern/core/auth";
import { Redacted } from "effect";

/**
 * Returns whether IMAP can transmit a credential (RFC 4616, 2; RFC 7628, 3.1). Any other credential is wrong for every
 * account.
 */
export const isTransmittable = (credential: MailCredential): boolean => {
  const impossible = credential._tag === "Password" ? /\0/ : /\p{Cc}/u;
  return [credential.username, Redacted.value(secretOf(credential))].every(
    (text) => text !== "" && !impossible.test(text),
  );
};
