import { type ConnectionCause, isExplained, refusalCause, tokenRefusalCause } from "@postern/core/accounts";
import type { MailCredential } from "@postern/core/auth";
import { AddressDenied, HostUnresolved } from "@postern/core/shared";
import type { ImapFlowError } from "imapflow";
import { FLOOD_CODE } from "../wire/bound-responses.ts";
import { isNotConnected, LATE_CODES, UNTRUSTED_CODE } from "./imap-failure.ts";
import { NOT_IMAP } from "../wire/imapflow-internals.ts";
import type { NotOpened } from "./open-client.ts";

const UNKNOWN_NAME = /^(ENOTFOUND|EAI_)/;
const REFUSED = /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|ACCES)$/;
/** Error codes of a connection that either side ended. */
const CUT = /^(ECONNRESET|EPIPE|ClosedAfterConnect|NoConnection|EConnectionClosed)/;
const TLS = /^(EPROTO|ERR_SSL|ERR_TLS|STARTTLS_INJECTION|UPGRADE_TIMEOUT)/;

/** Returns why a connection to an IMAP server could not be opened or signed in (spec 10.3). */
export const causeOf = (
  failure: AddressDenied | HostUnresolved | NotOpened,
  { _tag: kind }: MailCredential,
): ConnectionCause => {
  if (failure instanceof AddressDenied) return "address_denied";
  if (failure instanceof HostUnresolved) return failure.reason === "dns_timeout" ? "timeout" : "not_found";
  const error = failure.error as ImapFlowError & { readonly tlsFailed?: boolean };
  const code = error.code ?? "";
  const mechanisms = [...failure.capabilities].flatMap((name) => (name.startsWith("AUTH=") ? [name.slice(5)] : []));
  if (isNotConnected(error)) return "imap_disabled";
  if (error.responseStatus === "BAD") return "protocol";
  if (error.responseStatus === "NO" || error.authenticationFailed === true) {
    const text = textOf(error);
    return kind === "Password" ? refusalCause({ text, mechanisms }) : tokenRefusalCause(text);
  }
  if (FLOOD_CODE.test(code)) return "server_flood";
  if (code === NOT_IMAP) return "not_a_mail_server";
  if (UNTRUSTED_CODE.test(code)) return "certificate_untrusted";
  if (TLS.test(code) || /before secure TLS connection/.test(error.message)) return "tls_failed";
  if (error.tlsFailed === true) return code === "" ? "starttls_missing" : "tls_failed";
  if (LATE_CODES.has(code)) return "timeout";
  if (UNKNOWN_NAME.test(code)) return "not_found";
  if (REFUSED.test(code)) return "refused";
  if (CUT.test(code)) return causeOfCut(error, failure.capabilities.size > 0);
  return "protocol";
};

/**
 * Returns whether the refusal of a sign-in is final: the server named a reason in a response code or in an OAuth2 error
 * (RFC 7628).
 */
export const isExplainedRefusal = (error: ImapFlowError): boolean =>
  !isNotConnected(error) && (typeof error.oauthError === "object" || isExplained(textOf(error)));

/**
 * Returns the cause of a connection that the server ended. A BYE may name a reason. A connection that ended before the
 * first answer counts as refused.
 */
const causeOfCut = (error: ImapFlowError, hasAnswered: boolean): ConnectionCause => {
  const cause = refusalCause({ text: error.reason ?? "", mechanisms: [] });
  if (cause !== "auth_refused") return cause;
  return hasAnswered ? "protocol" : "refused";
};

const textOf = ({ serverResponseCode: code, responseText = "" }: ImapFlowError): string =>
  code === undefined ? responseText : `[${code.toUpperCase()}] ${responseText}`;
