import { fieldBlocks } from "./header-block.ts";
import { firstAddress, readTypedAddress } from "./mail-address.ts";
import { headerOf, type ParsedMessage } from "../mail/index.ts";
import { headersOf } from "../mail/neighbours.ts";
import { type MessageTexts, readReturnedMessage } from "./message-texts.ts";
import { MAX_REPORTED_RECIPIENTS, type Report } from "./Report.ts";

/** Feedback types that are not complaints: reports of mail that is not spam, and of authentication failures (RFC 6430, 6591). */
const NOT_A_COMPLAINT = /^(?:not-spam|auth-failure|dmarc|dkim)/;

const REDACTED = /redacted|\*{2,}|x{5,}|hidden|anonymous|removed|undisclosed/i;

const complainants = (values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = values.flatMap((value) => {
    const address = readTypedAddress(value) ?? firstAddress(value);
    return address === null || REDACTED.test(address) ? [] : [address];
  });
  return [...new Map(found.map((address) => [address.toLowerCase(), address])).values()].slice(
    0,
    MAX_REPORTED_RECIPIENTS,
  );
};

/** Fields that name the recipient in Microsoft's junk mail reports, which have no feedback part. */
const JMRP_FIELDS = ["X-HmXmrOriginalRecipient", "X-MS-Exchange-JMRP-Recipient"];

/** Reads a complaint (RFC 5965 and earlier formats); null if the message is not a complaint. */
export const readFeedbackReport = (message: ParsedMessage, texts: MessageTexts): Report | null => {
  const nested = texts.returnedHeaders;
  const jmrp = JMRP_FIELDS.flatMap((name) => [...headersOf(message.headers, name), ...headersOf(nested, name)]);
  const fields = texts.feedback.flatMap((text) => fieldBlocks(text).flat());
  const from = headerOf(message.headers, "From");
  const isJmrp =
    jmrp.length > 0 ||
    (/staff@hotmail\.com|jmrp/i.test(from) && /complaint about message/i.test(headerOf(message.headers, "Subject")));
  if (texts.feedback.length === 0 && !isJmrp) return null;
  const feedbackType = /^[a-z-]{0,40}/.exec((headerOf(fields, "Feedback-Type") || "abuse").toLowerCase())![0];
  if (NOT_A_COMPLAINT.test(feedbackType)) return { kind: "none", reason: "receipt" };
  const returned = readReturnedMessage(message, texts);
  const named = complainants([
    ...headersOf(fields, "Original-Rcpt-To"),
    ...headersOf(fields, "Removal-Recipient"),
    ...headersOf(fields, "X-Original-Rcpt-To"),
    ...headersOf(fields, "Final-Recipient"),
    ...jmrp,
  ]);
  const mta = headerOf(fields, "Reporting-MTA");
  return {
    kind: "complaint",
    family: isJmrp ? "jmrp" : "arf",
    feedbackType: feedbackType || "abuse",
    recipients: named.length > 0 ? named : complainants(returned.to),
    reportingMta:
      mta === ""
        ? null
        : mta
            .slice(mta.indexOf(";") + 1)
            .trim()
            .slice(0, 255),
    returned,
  };
};
