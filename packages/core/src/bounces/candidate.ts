import { foldedSubject } from "./folded-subject.ts";
import { BOUNCE_SUBJECT, DELAY_SUBJECT } from "./phrases/notice-phrases.ts";
import { hasHeader } from "../mail/neighbours.ts";
import { type HeaderField, headerOf } from "../mail/index.ts";
import { hasNullSender, isFromDaemon } from "./sender.ts";

const REPORT_FIELDS = [
  "X-Failed-Recipients",
  "X-HmXmrOriginalRecipient",
  "X-MS-Exchange-Message-Is-Ndr",
  "X-Feedback-ID-Report",
];

/** The fields that {@link isCandidate} reads. */
export const CANDIDATE_FIELDS: ReadonlyArray<string> = [
  "Return-Path",
  "From",
  "Subject",
  "Content-Type",
  "Auto-Submitted",
  ...REPORT_FIELDS,
];

const REPORT_TYPE =
  /multipart\/report|message\/(?:delivery-status|feedback-report|global-delivery-status)|delivery-status|feedback-report/i;
const COMPLAINT_SUBJECT = /complaint|abuse|feedback report|spam report/i;
const COMPLAINT_SENDER = /staff@hotmail\.com|scomp@|feedback|complaints?@|fbl|abuse|arf/i;

/**
 * Returns whether the header looks like a report's, so that the message is parsed. Accepts too many messages rather
 * than too few, because {@link recognise} decides.
 */
export const isCandidate = (headers: ReadonlyArray<HeaderField>): boolean => {
  const subject = foldedSubject(headers);
  return (
    REPORT_TYPE.test(headerOf(headers, "Content-Type")) ||
    hasNullSender(headers) ||
    isFromDaemon(headers) ||
    REPORT_FIELDS.some((name) => hasHeader(headers, name)) ||
    (hasHeader(headers, "Auto-Submitted") && !/^no\b/i.test(headerOf(headers, "Auto-Submitted"))) ||
    BOUNCE_SUBJECT.test(subject) ||
    DELAY_SUBJECT.test(subject) ||
    COMPLAINT_SUBJECT.test(subject) ||
    COMPLAINT_SENDER.test(headerOf(headers, "From").slice(0, 300))
  );
};
