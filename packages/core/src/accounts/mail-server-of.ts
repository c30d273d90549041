import type { MailServer } from "../mail/index.ts";
import { digitsOf, type MailServerInput } from "./rules.ts";

/** Returns the mail server that a request describes. */
export const mailServerOf = ({
  host,
  port,
  security,
  username,
  certificateSha256,
}: typeof MailServerInput.Type): MailServer => ({
  host,
  port,
  tls: security === "tls" ? "implicit" : "starttls",
  origin: "account",
  ...(username === undefined ? {} : { username }),
  ...(certificateSha256 === undefined ? {} : { certificateSha256: digitsOf(certificateSha256) }),
});
