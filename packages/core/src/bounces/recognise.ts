import { recipientOf, type StatusGroup, statusGroups } from "./delivery-status.ts";
import {
  causeInWords,
  enhancedStatusIn,
  quotesRefusal,
  replyCodeIn,
  statusByWords,
  statusFrom,
} from "./enhanced-status.ts";
import { failedRecipients, type NamedRecipient } from "./failed-recipients.ts";
import { FAMILIES } from "./families/families.ts";
import type { Family } from "./families/Family.ts";
import { readFeedbackReport } from "./feedback-report.ts";
import { foldedSubject } from "./folded-subject.ts";
import { findAddresses, firstAddress } from "./mail-address.ts";
import { foldedNotice, messageTexts, type MessageTexts, readReturnedMessage, statedLines } from "./message-texts.ts";
import { noReportReason } from "./no-report-reason.ts";
import {
  BOUNCE_SUBJECT,
  DELAY_SUBJECT,
  DELAY_WORDS,
  END_WORDS,
  FAILURE_WORDS,
  FINAL_WORDS,
  SUCCESS_SUBJECT,
  SUCCESS_WORDS,
  WARNING_WORDS,
} from "./phrases/notice-phrases.ts";
import { addressKey, headerOf, type ParsedMessage } from "../mail/index.ts";
import { hasHeader, headersOf } from "../mail/neighbours.ts";
import {
  MAX_DIAGNOSTIC_CHARS,
  type NoReport,
  type RecipientReport,
  type Report,
  type ReturnedMessage,
} from "./Report.ts";
import { hasNullSender, isFromDaemon, ownAddresses } from "./sender.ts";
import { foldText } from "./text-folding.ts";

const none = (reason: NoReport): Report => ({ kind: "none", reason });

/**
 * Recognises a message as a bounce, a delay, a complaint, or no report (spec 7). Takes time linear in the bounds of
 * {@link ParsedMessage}; never fails.
 */
export const recognise = (message: ParsedMessage): Report => {
  const texts = messageTexts(message);
  const reason = noReportReason(message, texts);
  if (reason !== null) return none(reason);
  const complaint = readFeedbackReport(message, texts);
  if (complaint !== null) return complaint;
  const returned = readReturnedMessage(message, texts);
  const groups = statusGroups(texts.statuses);
  if (groups.length > 0) return fromStatus(message, texts, returned, groups);
  return fromNotice(message, texts, returned);
};

type Outcome = "delay" | "success" | "failure" | "unclear";

/** Returns the outcome from the words of a report, for reporters that do not state it in fields. */
const outcomeOf = (message: ParsedMessage, texts: MessageTexts): Outcome => {
  const subject = foldedSubject(message.headers);
  const notice = foldedNotice(texts);
  const isFinal = FINAL_WORDS.test(notice);
  if (DELAY_SUBJECT.test(subject) && !/fail|undeliver|unzustellbar|returned/.test(subject)) return "delay";
  // A quoted refusal is final, even if the notice advises the reader to retry.
  if (DELAY_WORDS.test(notice) && !isFinal && !quotesRefusal(notice)) return "delay";
  if (WARNING_WORDS.test(notice) && !END_WORDS.test(notice)) return "delay";
  const fails = FAILURE_WORDS.test(notice) || replyCodeIn(notice) !== null || statusByWords(notice) !== null;
  if (SUCCESS_SUBJECT.test(subject) && !/unsuccess|not success/.test(subject)) return "success";
  if (SUCCESS_WORDS.test(`${subject}\n${notice}`) && !isFinal && !BOUNCE_SUBJECT.test(subject)) return "success";
  return fails ? "failure" : "unclear";
};

const fromStatus = (
  message: ParsedMessage,
  texts: MessageTexts,
  returned: ReturnedMessage,
  groups: ReadonlyArray<StatusGroup>,
): Report => {
  const outcome = outcomeOf(message, texts);
  const reported = groups.filter(({ action }) => action !== "delivered");
  if (reported.length === 0) return none("delivered");
  if (outcome === "success" && reported.every(({ action, status }) => action === null && status === null))
    return none("delivered");
  const family = familyOf(message, texts);
  const context = noticeContext(message, texts, returned, family);
  const nameless = reported.filter(({ address }) => address === null);
  const named = failedRecipients(context);
  const notice = statedLines(texts);
  const details = new Map(named.map(({ address, detail }) => [addressKey(address), detail]));
  const recipients = reported.flatMap((group): ReadonlyArray<RecipientReport> => {
    const type =
      group.action === "delayed" || (group.action === null && outcome === "delay") ? "transient" : "permanent";
    if (group.address !== null)
      return [
        recipientOf(
          group,
          group.address,
          type,
          details.get(addressKey(group.address)) ?? (reported.length === 1 ? notice : ""),
        ),
      ];
    const missing = nameless.length === 1 ? named : named.slice(nameless.indexOf(group), nameless.indexOf(group) + 1);
    return missing.map(({ address, detail }) => recipientOf(group, address, type, detail));
  });
  return reportOf(family?.name ?? "rfc3464", mergeRecipients(recipients), returned);
};

/** Keeps one report per address: a failure replaces a delay; otherwise the first report stays. */
const mergeRecipients = (recipients: ReadonlyArray<RecipientReport>): ReadonlyArray<RecipientReport> => {
  const byKey = new Map<string, RecipientReport>();
  for (const recipient of recipients) {
    const known = byKey.get(addressKey(recipient.address));
    if (known === undefined || (known.type === "transient" && recipient.type === "permanent"))
      byKey.set(addressKey(recipient.address), recipient);
  }
  return [...byKey.values()];
};

const reportOf = (family: string, recipients: ReadonlyArray<RecipientReport>, returned: ReturnedMessage): Report => {
  if (recipients.length === 0) return none("no_recipient");
  const kind = recipients.some(({ type }) => type === "permanent") ? "bounce" : "delay";
  return { kind, family, recipients, returned };
};

const fromNotice = (message: ParsedMessage, texts: MessageTexts, returned: ReturnedMessage): Report => {
  const outcome = outcomeOf(message, texts);
  if (outcome === "success") return none("delivered");
  if (!isBelieved(message, texts, returned, outcome)) return none("ordinary");
  const family = familyOf(message, texts);
  const context = noticeContext(message, texts, returned, family);
  const found = failedRecipients(context);
  // If the sender wrote to their own address, the failed address was excluded as an address of the sender.
  const named = found.length > 0 ? found : failedRecipients({ ...context, excluded: new Set() });
  const type = outcome === "delay" ? "transient" : "permanent";
  return reportOf(
    family?.name ?? "text",
    named.map((one) => fromDetail(one, type, message)),
    returned,
  );
};

/**
 * Returns whether free text is a report: a field declares it, or enough signs support it (sender, subject, returned
 * message, cause). The less the sender looks like a mail system, the more other signs are needed.
 */
const isBelieved = (
  { headers }: ParsedMessage,
  texts: MessageTexts,
  returned: ReturnedMessage,
  outcome: Outcome,
): boolean => {
  if (hasHeader(headers, "X-Failed-Recipients")) return true;
  if (outcome === "unclear") return false;
  const subject = foldedSubject(headers);
  const notice = statedLines(texts);
  const saysSo = BOUNCE_SUBJECT.test(subject) || DELAY_SUBJECT.test(subject);
  const returns = texts.returnedHeaders.length > 0;
  const cites = replyCodeIn(notice) !== null || enhancedStatusIn(notice) !== null;
  const explains = cites || causeInWords(notice) !== null;
  if (isFromDaemon(headers) || /multipart\/report/i.test(headerOf(headers, "Content-Type")))
    return saysSo || returns || cites || (explains && FINAL_WORDS.test(foldedNotice(texts)));
  if (hasNullSender(headers)) return (saysSo && (returns || explains)) || (returns && explains);
  // Any sender could write such a text, so the report must return a message of the mailbox owner.
  const own = new Set(ownAddresses(headers).map(addressKey));
  return saysSo && explains && returned.from !== null && own.has(addressKey(returned.from));
};

const fromDetail = (
  { address, detail }: NamedRecipient,
  type: RecipientReport["type"],
  message: ParsedMessage,
): RecipientReport => ({
  address,
  originalRecipient: null,
  type,
  status: type === "permanent" ? (statusFrom(detail) ?? "5.0.0") : `4${(statusFrom(detail, true) ?? "4.0.0").slice(1)}`,
  diagnosticCode: diagnosticIn(detail),
  reportingMta: domainOf(headerOf(message.headers, "From")),
});

/** Returns the line with a reply code or the words of a cause. */
const diagnosticIn = (detail: string): string | null => {
  const lines = detail.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim());
  const line =
    lines.find((one) => replyCodeIn(one) !== null || enhancedStatusIn(one) !== null) ??
    lines.find((one) => statusByWords(one) !== null);
  return line === undefined ? null : line.slice(0, MAX_DIAGNOSTIC_CHARS);
};

const domainOf = (from: string): string | null => {
  const address = firstAddress(from);
  return address === null ? null : address.slice(address.lastIndexOf("@") + 1).toLowerCase();
};

const noticeContext = (
  message: ParsedMessage,
  texts: MessageTexts,
  returned: ReturnedMessage,
  family: Family | null,
) => ({
  notice: texts.notice,
  family,
  declared: headersOf(message.headers, "X-Failed-Recipients").flatMap((value) =>
    findAddresses(value).map(({ address }) => address),
  ),
  returnedTo: returned.to,
  excluded: new Set(
    [
      ...ownAddresses(message.headers),
      ...findAddresses(headerOf(message.headers, "From")).map(({ address }) => address),
      ...(returned.from === null ? [] : [returned.from]),
    ].map(addressKey),
  ),
});

const familyOf = (message: ParsedMessage, texts: MessageTexts): Family | null => {
  const from = headerOf(message.headers, "From").slice(0, 500);
  const notice = foldText(texts.notice.slice(0, 80).join("\n").slice(0, 6_000));
  const status = texts.statuses.join("\n").slice(0, 8_000);
  return (
    FAMILIES.find(
      ({ recognisedBy }) =>
        (recognisedBy.from === undefined || recognisedBy.from.test(from)) &&
        (recognisedBy.header === undefined ||
          headersOf(message.headers, recognisedBy.header[0]).some((value) => recognisedBy.header![1].test(value))) &&
        (recognisedBy.text === undefined || recognisedBy.text.test(notice)) &&
        (recognisedBy.status === undefined || recognisedBy.status.test(status)),
    ) ?? null
  );
};
