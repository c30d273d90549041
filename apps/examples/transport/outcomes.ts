import type { AttemptOutcome, FailureReason, SmtpReply } from "@postern/core/send";

/** The largest message in bytes that the mail API accepts. */
export const LIMIT = 20_000_000;

/** The placeholder for the answer to each recipient, because the API gives only one answer, to the whole message. */
export const ACCEPTED: SmtpReply = { code: 250, enhanced: null, text: "not refused yet" };

export const notSent = (reason: FailureReason, detail: string): AttemptOutcome => ({ _tag: "NotSent", reason, detail });

/** Returns the outcome of an attempt that the API answered: 4xx codes of SMTP are repeated later, 5xx codes are not. */
export const outcomeOf = (status: number, version: number): AttemptOutcome => {
  if (status === 401) return { _tag: "AuthRefused", version };
  const code = status < 300 ? 250 : status === 429 || status >= 500 ? 451 : 554;
  return { _tag: "Answered", reply: { code, enhanced: null, text: `the mail API answered ${status}` } };
};

/**
 * Errors before a connection existed: nothing was sent. After any other error the API may have accepted the message.
 */
const UNCONNECTED = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

export const outcomeOfFault = (error: Error): AttemptOutcome => {
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  if (UNCONNECTED.includes(code)) return notSent("unreachable", code);
  return { _tag: "Unknown", reason: "connection_cut", detail: code };
};
