import { MailServerError } from "@postern/core/mail";
import { LoginRefused } from "@postern/core/auth";
import { type ImapFlowError, ImapFlowErrorCode as Code } from "imapflow";

type Reason = MailServerError["reason"];

/** Response codes of a passing fault (RFC 9051, 7.1); Gmail says OVERQUOTA for its bandwidth, to commands that store nothing. */
const PASSING_CODES = new Set(["UNAVAILABLE", "LIMIT", "INUSE", "CONTACTADMIN", "SERVERBUG", "OVERQUOTA"]);

/** Response codes that leave a NO to a login what it says; Gmail and others send ALERT with theirs. */
const REFUSAL_CODES = new Set(["AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "ALERT"]);

/** What servers write that have no response codes. */
const PASSING_WORDS =
  /too many|temporar|try again|unavailable|internal error|(rate|connection).{0,80}limit|overload|busy/i;

/** Response codes of a missing right (RFC 9051, 7.1), and what servers write that have none. */
const PERMISSION_CODES = new Set(["NOPERM", "READ-ONLY"]);
const PERMISSION_WORDS = /permission denied|not permitted|access denied/i;

/** Commands that may need room in the mailbox. */
const STORING = /^(?:append|create|(?:uid )?(?:copy|move))$/;

/** What imapflow raises before it asks the server: an argument cannot be written, or the command makes no sense now. */
const MISUSE_CODES = new Set<string | undefined>([
  Code.InvalidStringValue,
  Code.InvalidTokenValue,
  Code.InvalidTextValue,
  Code.InvalidSequenceSet,
  Code.InvalidSearchQuery,
  Code.InvalidMessageContent,
  Code.MissingServerExtension,
  Code.NoMailboxSelected,
]);

const LATE_CODES = new Set<string | undefined>([
  Code.CONNECT_TIMEOUT,
  Code.GREETING_TIMEOUT,
  Code.UPGRADE_TIMEOUT,
  Code.ETIMEOUT,
  "ETIMEDOUT",
]);

/** Codes of OpenSSL's verification and of Node's, whatever is wrong with the certificate. */
const UNTRUSTED_CODE = /^(CERT_|CRL_|ERR_TLS_CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH)/;

const UNREADABLE_CODE =
  /^(ParserError|InvalidResponse|ResponseProcessingFailed|UnexpectedTag|MissingTag|MAX_IMAP_NESTING|LineTooLarge|LiteralTooLarge|ResponseTooLarge|TooMany)/;

/** What a failed connection or sign-in means (spec 3): only the server's own refusal is one. */
export const connectFailure = (error: unknown): LoginRefused | MailServerError => {
  const failure = error as ImapFlowError;
  const { authenticationFailed, responseStatus, serverResponseCode: code } = failure;
  if (authenticationFailed === true && responseStatus === "NO" && isRefusal(code, failure.responseText)) {
    return new LoginRefused();
  }
  // The server's words about a sign-in stay out of the log: nothing keeps them from quoting it.
  if (responseStatus !== undefined || authenticationFailed === true) {
    const passing = responseStatus === "NO" || /not connected/i.test(String(failure.response));
    return failed(
      passing && !isConfiguration(code) ? "busy" : "protocol",
      "login",
      code ?? responseStatus ?? "refused",
    );
  }
  return failed(reasonOf(failure), "connect", describe(failure));
};

/** What a failed command means. */
export const commandFailure = (operation: string, error: unknown): MailServerError => {
  const failure = error as ImapFlowError;
  const reason = isForbidden(failure)
    ? "not_permitted"
    : isOverQuota(failure) && STORING.test(operation)
      ? "over_quota"
      : reasonOf(failure);
  return failed(reason, operation, describe(failure));
};

/** Whether an error is a mistake in this program: nothing that a mail server does raises such. */
export const isProgrammingError = (error: unknown): boolean => {
  const { code, responseStatus } = error as ImapFlowError;
  if (MISUSE_CODES.has(code)) return true;
  const isOfTheLanguage = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
  return isOfTheLanguage && code === undefined && responseStatus === undefined;
};

/** The account may not do this: asked again, the server answers the same. */
export const notPermitted = (operation: string, detail: string): MailServerError =>
  failed("not_permitted", operation, detail);

/** The connection ended while something was being done. */
export const connectionLost = (operation: string, detail = "the connection was closed"): MailServerError =>
  failed("unreachable", operation, detail);

/** The server did not answer within the time it has. */
export const timedOut = (operation: string, milliseconds: number): MailServerError =>
  failed("timeout", operation, `no answer within ${milliseconds} ms`);

/** The server let us in without asking who we are. */
export const unauthenticated = (): MailServerError => failed("protocol", "login", "the server asked for no password");

/** Whether a command was refused for something that will pass. */
export const isPassing = (failure: ImapFlowError): boolean =>
  failure.code === Code.ETHROTTLE ||
  (failure.responseStatus === "NO" &&
    (PASSING_CODES.has(failure.serverResponseCode?.toUpperCase() ?? "") ||
      PASSING_WORDS.test(failure.responseText ?? "")));

const isForbidden = ({ responseStatus, serverResponseCode: code, responseText = "" }: ImapFlowError): boolean =>
  responseStatus === "NO" &&
  (code === undefined ? PERMISSION_WORDS.test(responseText) : PERMISSION_CODES.has(code.toUpperCase()));

const isOverQuota = ({ responseStatus, serverResponseCode: code, responseText = "" }: ImapFlowError): boolean =>
  responseStatus === "NO" &&
  (code === undefined ? /over ?quota|quota exceeded/i.test(responseText) : code.toUpperCase() === "OVERQUOTA");

const isRefusal = (code: string | undefined, text: string | undefined): boolean =>
  code === undefined || code.toUpperCase() === "ALERT"
    ? !PASSING_WORDS.test(text ?? "")
    : REFUSAL_CODES.has(code.toUpperCase());

const isConfiguration = (code: string | undefined): boolean => code?.toUpperCase() === "PRIVACYREQUIRED";

const reasonOf = (failure: ImapFlowError): Reason => {
  if (isPassing(failure)) return "busy";
  const isAnswer = failure.responseStatus !== undefined || failure.code === Code.NotFound;
  if (isAnswer || UNREADABLE_CODE.test(failure.code ?? "")) return "protocol";
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

const failed = (reason: Reason, operation: string, detail: string): MailServerError =>
  new MailServerError({ reason, operation, detail });
