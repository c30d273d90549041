import { MailServerError } from "@postern/core/mail";
import { LoginRefused } from "@postern/core/auth";
import { type ImapFlowError, ImapFlowErrorCode as Code } from "imapflow";
import { FLOOD_CODE } from "../wire/bound-responses.ts";
import { THROTTLED } from "../wire/imapflow-internals.ts";

type Reason = MailServerError["reason"];

/** Response codes of transient failures (RFC 9051, 7.1). Gmail sends OVERQUOTA for exceeded bandwidth, also to commands that store nothing. */
const PASSING_CODES = new Set(["UNAVAILABLE", "LIMIT", "THROTTLED", "INUSE", "CONTACTADMIN", "SERVERBUG", "OVERQUOTA"]);

/** Response codes of a NO to a login that mean refused credentials. Gmail and others send ALERT. */
const REFUSAL_CODES = new Set(["AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "ALERT"]);

/** Texts of transient failures, for servers without response codes. */
const PASSING_WORDS =
  /too many|temporar|try again|unavailable|internal error|(rate|connection|bandwidth).{0,80}limit|overload|busy/i;

/** Response codes of a missing right (RFC 9051, 7.1), and texts of servers without response codes. */
const PERMISSION_CODES = new Set(["NOPERM", "READ-ONLY"]);
const PERMISSION_WORDS = /permission denied|not permitted|access denied/i;

/** Commands that need storage in the mailbox. */
const STORING = /^(?:append|create|(?:uid )?(?:copy|move))$/;

/** Errors that imapflow raises before it sends a command: an argument cannot be encoded, or the server lacks an extension. */
const MISUSE_CODES = new Set<string | undefined>([
  Code.InvalidStringValue,
  Code.InvalidTokenValue,
  Code.InvalidTextValue,
  Code.InvalidSequenceSet,
  Code.InvalidSearchQuery,
  Code.InvalidMessageContent,
  Code.MissingServerExtension,
]);

export const LATE_CODES = new Set<string | undefined>([
  Code.CONNECT_TIMEOUT,
  Code.GREETING_TIMEOUT,
  Code.UPGRADE_TIMEOUT,
  Code.ETIMEOUT,
  "ETIMEDOUT",
]);

/** Certificate verification errors of OpenSSL and Node. */
export const UNTRUSTED_CODE =
  /^(CERT_|CRL_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH)/;

const UNREADABLE_CODE =
  /^(ParserError|InvalidResponse|ResponseProcessingFailed|UnexpectedTag|MissingTag|MAX_IMAP_NESTING|NotImap|NoTokens)/;

/** Converts a failed connection or sign-in (spec 3). Only a refusal by the server itself becomes `LoginRefused`. */
export const connectFailure = (error: unknown): LoginRefused | MailServerError => {
  const failure = error as ImapFlowError;
  const { authenticationFailed, responseStatus, serverResponseCode: code } = failure;
  if (authenticationFailed === true && responseStatus === "NO" && isRefusal(code, failure.responseText)) {
    return new LoginRefused();
  }
  // The server's text about a sign-in stays out of the log, because it may quote the credential.
  if (isNotConnected(failure)) return mailServerError("busy", "login", "the server opens no mailbox to this user now");
  if (responseStatus !== undefined || authenticationFailed === true) {
    return mailServerError(
      responseStatus === "NO" && !isConfiguration(code) ? "busy" : "protocol",
      "login",
      code ?? responseStatus ?? "refused",
    );
  }
  return mailServerError(reasonOf(failure), "connect", describe(failure));
};

/** Converts the failure of a command. */
export const commandFailure = (operation: string, error: unknown): MailServerError => {
  const failure = error as ImapFlowError;
  const reason = isForbidden(failure)
    ? "not_permitted"
    : isOverQuota(failure) && STORING.test(operation)
      ? "over_quota"
      : reasonOf(failure);
  return mailServerError(reason, operation, describe(failure));
};

/** Returns whether an error is a mistake in this program. No response of a server can cause such an error. */
export const isProgrammingError = (error: unknown): boolean => {
  const { code, responseStatus } = error as ImapFlowError;
  if (MISUSE_CODES.has(code)) return true;
  const isOfTheLanguage = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
  return isOfTheLanguage && code === undefined && responseStatus === undefined;
};

/** Returns the error for an operation that the account may not perform; a retry would fail the same way. */
export const permissionFailure = (operation: string, detail: string): MailServerError =>
  mailServerError("not_permitted", operation, detail);

/** Returns the error for a connection that ended during an operation. */
export const connectionLoss = (operation: string, detail = "the connection was closed"): MailServerError =>
  mailServerError("unreachable", operation, detail);

/** Returns the error for a connection on which the server sent more than its budget. */
export const floodFailure = (operation: string): MailServerError =>
  mailServerError("flood", operation, "the server sent more than was asked for");

/** Returns the error for a response that did not arrive in time. */
export const timeoutFailure = (operation: string, milliseconds: number): MailServerError =>
  mailServerError("timeout", operation, `no answer within ${milliseconds} ms`);

/** Returns the error for a server that accepts clients without a password. */
export const noPasswordFailure = (): MailServerError =>
  mailServerError("protocol", "login", "the server asked for no password");

/**
 * The answer of Exchange Online when it accepts the credential but cannot open the mailbox: IMAP is disabled for the
 * mailbox, the mailbox has no licence, or the user of the token may not open it. Exchange Online sometimes gives this
 * answer and opens the same mailbox a moment later.
 */
export const NOT_CONNECTED = /user is authenticated but not connected/i;

/** Returns whether an error has the answer `NOT_CONNECTED`. */
export const isNotConnected = ({ response, responseText }: ImapFlowError): boolean =>
  NOT_CONNECTED.test(`${responseText ?? ""} ${String(response)}`);

/** Returns whether a command was refused for a transient reason. */
export const isTransient = (failure: ImapFlowError): boolean =>
  failure.code === THROTTLED ||
  isNotConnected(failure) ||
  (failure.responseStatus === "NO" &&
    (PASSING_CODES.has(failure.serverResponseCode?.toUpperCase() ?? "") ||
      PASSING_WORDS.test(failure.responseText ?? "")));

const isForbidden = (failure: ImapFlowError): boolean => {
  const { responseStatus, serverResponseCode: code, responseText = "" } = failure;
  if (responseStatus !== "NO" || isNotConnected(failure)) return false;
  return code === undefined ? PERMISSION_WORDS.test(responseText) : PERMISSION_CODES.has(code.toUpperCase());
};

/**
 * Returns whether the mailbox exceeds its quota. Gmail also answers OVERQUOTA to an APPEND that exceeds the bandwidth
 * of a day.
 */
const isOverQuota = ({ responseStatus, serverResponseCode: code, responseText = "" }: ImapFlowError): boolean =>
  responseStatus === "NO" &&
  !/bandwidth limit/i.test(responseText) &&
  (code === undefined ? /over ?quota|quota exceeded/i.test(responseText) : code.toUpperCase() === "OVERQUOTA");

const isRefusal = (code: string | undefined, text: string | undefined): boolean =>
  code === undefined || code.toUpperCase() === "ALERT"
    ? !PASSING_WORDS.test(text ?? "")
    : REFUSAL_CODES.has(code.toUpperCase());

const isConfiguration = (code: string | undefined): boolean => code?.toUpperCase() === "PRIVACYREQUIRED";

const reasonOf = (failure: ImapFlowError): Reason => {
  if (isTransient(failure)) return "busy";
  const isAnswer = failure.responseStatus !== undefined || failure.code === Code.NotFound;
  if (isAnswer || UNREADABLE_CODE.test(failure.code ?? "")) return "protocol";
  if (FLOOD_CODE.test(failure.code ?? "")) return "flood";
  if (LATE_CODES.has(failure.code)) return "timeout";
  if (UNTRUSTED_CODE.test(failure.code ?? "")) return "untrusted";
  return PASSING_WORDS.test(failure.reason ?? "") ? "busy" : "unreachable";
};

const describe = (failure: ImapFlowError): string => {
  const what = [failure.code ?? failure.serverResponseCode ?? failure.responseStatus ?? failure.name];
  return [...what, failure.reason ?? failure.responseText ?? failure.message]
    .join(": ")
    .replace(/\p{Cc}+/gu, " ")
    .slice(0, 200);
};

const mailServerError = (reason: Reason, operation: string, detail: string): MailServerError =>
  new MailServerError({ reason, operation, detail });
