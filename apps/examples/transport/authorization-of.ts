import type { MailCredential } from "@postern/core/auth";
import { Redacted } from "effect";

/** Returns the credential of an account in the form of the mail API. */
export const authorizationOf = (credential: MailCredential): string =>
  credential._tag === "Password"
    ? `Basic ${btoa(`${credential.username}:${Redacted.value(credential.password)}`)}`
    : `Bearer ${Redacted.value(credential.token)}`;
