import { BOUNCE_SUBJECT, DELAY_SUBJECT } from "./notice-phrases.ts";
import { hasHeader, type HeaderField, headerOf } from "../mail/index.ts";
import { hasNullSender, isFromDaemon } from "./sender.ts";
import { foldText } from "./text-folding.ts";

const TELLING_FIELDS = [
  "X-Failed-Recipients",
  "X-HmXmrOriginalRecipient",
  "X-MS-Exchange-Message-Is-Ndr",
  "X-Feedback-ID-Report",
];

/** The fields {@link isCandidate} looks at: the only ones to fetch for it. */
export const CANDIDATE_FIELDS: ReadonlyArray<string> = [
  "Return-Path",
  "From",
  "Subject",
  "Content-Type",
  "Auto-Submitted",
  ...TELLING_FIELDS,
];

const REPORT_TYPE =
  /multipart\/report|message\/(?:delivery-status|feedback-report|global-delivery-status)|delivery-status|feedback-report/i;
const COMPLAINT_SUBJECT = /complaint|abuse|feedback report|spam report/i;
const COMPLAINT_SENDER = /staff@hotmail\.com|scomp@|feedback|complaints?@|fbl|abuse|arf/i;

/**
 * Whether a message is worth parsing as a report, from its header alone. It
 * would rather parse one too many: {@link recognise} has the last word.
 */
export const isCandidate = (headers: ReadonlyArray<HeaderField>): boolean => {
  const subject = headerOf(headers, "Subject").slice(0, 500);
  const folded = foldText(subject);
  return (
    REPORT_TYPE.test(headerOf(headers, "Content-Type")) ||
    hasNullSender(headers) ||
    isFromDaemon(headers) ||
    TELLING_FIELDS.some((name) => hasHeader(headers, name)) ||
    (hasHeader(headers, "Auto-Submitted") && !/^no\b/i.test(headerOf(headers, "Auto-Submitted"))) ||
    BOUNCE_SUBJECT.test(folded) ||
    DELAY_SUBJECT.test(folded) ||
    COMPLAINT_SUBJECT.test(subject) ||
    COMPLAINT_SENDER.test(headerOf(headers, "From").slice(0, 300))
  );
};
