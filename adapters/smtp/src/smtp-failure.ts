import type { AttemptOutcome, FailureReason } from "@postern/core/send";
import { AddressDenied, HostUnresolved } from "@postern/core/shared";
import { type ConnectionCause, refusalCause } from "@postern/core/accounts";
import { smtpReply } from "./smtp-reply.ts";

/** Code of the error for a server that sent more than its budget. */
export const FLOOD = "EFLOOD";

/** An error of nodemailer. */
export interface SmtpError extends Error {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string | false;
  readonly responseCode?: number;
  /** How much the server had sent when the connection failed to open. */
  readonly heard?: "nothing" | "half a line" | "a line";
}

/** Reply codes to a login that refuse the credential permanently (RFC 4954, 6). */
const REFUSED_LOGIN = new Set([500, 501, 504, 530, 534, 535, 550, 553, 554]);
/** Replies of a server that requires TLS or another mechanism: a configuration error, not a wrong password. */
const NOT_THE_PASSWORD = /^538|encryption|mechanism|tls/i;

/** Temporary causes of a refused login. A server may send their text with a reply of 5yz too. */
const TEMPORARY_CAUSES: ReadonlySet<ConnectionCause> = new Set(["too_many_connections", "unavailable"]);

/** Certificate verification errors of OpenSSL and Node. */
export const UNTRUSTED_CODE =
  /^(CERT_|CRL_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH)/;

/** Converts an error to a reason and a description. */
export const failureOf = (
  error: SmtpError | AddressDenied | HostUnresolved,
): { readonly reason: FailureReason; readonly detail: string } => {
  if (error instanceof AddressDenied) {
    return { reason: "unreachable", detail: `the egress guard refused the ${error.rule}` };
  }
  if (error instanceof HostUnresolved) {
    return { reason: "unreachable", detail: `the host has no address: ${error.reason}` };
  }
  const detail = [error.originalCode, error.message].filter(Boolean).join(": ");
  return { reason: reasonOf(error), detail: detail.replaceAll(/\p{Cc}+/gu, " ").slice(0, 300) };
};

const reasonOf = ({ code, originalCode, response, responseCode }: SmtpError): FailureReason => {
  if (UNTRUSTED_CODE.test(originalCode ?? code ?? "")) return "untrusted";
  if (code === FLOOD) return "flood";
  if (code === "ETIMEDOUT" || originalCode === "ETIMEDOUT") return "timeout";
  if (responseCode !== undefined && response) return responseCode < 500 ? "busy" : "protocol";
  if (code === "EDNS" || /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/.test(originalCode ?? "")) {
    return "unreachable";
  }
  return code === "ECONNECTION" || code === "ESOCKET" ? "connection_cut" : "protocol";
};

/** Returns the outcome of a failed login: the server refused the credential, or the login did not take place. */
export const loginOutcome = (error: SmtpError, version: number): AttemptOutcome => {
  const { code, response, responseCode } = error;
  if (code === "EAUTH" && response && responseCode !== undefined) {
    const isTransient = TEMPORARY_CAUSES.has(refusalCause({ text: response, mechanisms: [] }));
    if (REFUSED_LOGIN.has(responseCode) && !isTransient && !NOT_THE_PASSWORD.test(response))
      return { _tag: "AuthRefused", version };
    // The server's text about a login stays out of the log, because it may quote the credential.
    const { code: said } = smtpReply(response);
    return {
      _tag: "NotSent",
      reason: said < 500 || isTransient ? "busy" : "protocol",
      detail: `the login was answered ${said}`,
    };
  }
  return { _tag: "NotSent", ...failureOf(error) };
};
