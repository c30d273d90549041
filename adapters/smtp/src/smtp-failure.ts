import type { AttemptOutcome, FailureReason } from "@postern/core/send";
import { smtpReply } from "./smtp-reply.ts";

/** As nodemailer's errors are. */
export interface SmtpError extends Error {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string | false;
  readonly responseCode?: number;
}

/** Codes of a refused login that are about the credential (RFC 4954, 6), not about a passing fault. */
const REFUSED_LOGIN = new Set([500, 501, 504, 530, 534, 535, 550, 553, 554]);
/** The server wants TLS or another mechanism: configuration, not the password. */
const NOT_THE_PASSWORD = /^538|encryption|mechanism|tls/i;

/** Codes of OpenSSL's verification and of Node's, whatever is wrong with the certificate. */
const UNTRUSTED_CODE = /^(CERT_|CRL_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH)/;

/** What went wrong, in a word and a sentence. */
export const failureOf = (error: SmtpError): { readonly reason: FailureReason; readonly detail: string } => ({
  reason: reasonOf(error),
  detail: [error.originalCode, error.message]
    .filter(Boolean)
    .join(": ")
    .replaceAll(/\p{Cc}+/gu, " ")
    .slice(0, 300),
});

const reasonOf = ({ code, originalCode, response, responseCode }: SmtpError): FailureReason => {
  if (UNTRUSTED_CODE.test(originalCode ?? code ?? "")) return "untrusted";
  if (code === "ETIMEDOUT" || originalCode === "ETIMEDOUT") return "timeout";
  if (responseCode !== undefined && response) return responseCode < 500 ? "busy" : "protocol";
  if (code === "EDNS" || /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/.test(originalCode ?? "")) {
    return "unreachable";
  }
  return code === "ECONNECTION" || code === "ESOCKET" ? "connection_cut" : "protocol";
};

/** A login that failed: refused for its credential, or not made. */
export const loginOutcome = (error: SmtpError, version: number): AttemptOutcome => {
  const { code, response, responseCode } = error;
  if (code === "EAUTH" && response && responseCode !== undefined) {
    if (REFUSED_LOGIN.has(responseCode) && !NOT_THE_PASSWORD.test(response)) return { _tag: "AuthRefused", version };
    // The server's words about a login stay out of the log: nothing keeps them from quoting it.
    const { code: said } = smtpReply(response);
    return { _tag: "NotSent", reason: said < 500 ? "busy" : "protocol", detail: `the login was answered ${said}` };
  }
  return { _tag: "NotSent", ...failureOf(error) };
};
