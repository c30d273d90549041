import { enhancedStatusIn, isSpecific, replyCodeIn, statusByWords, statusFrom, statusOf } from "./enhanced-status.ts";
import { fieldBlocks } from "./header-block.ts";
import { readTypedAddress } from "./mail-address.ts";
import { addressKey, type HeaderField, headerOf } from "../mail/index.ts";
import { MAX_DIAGNOSTIC_CHARS, MAX_REPORTED_RECIPIENTS, type RecipientReport } from "./Report.ts";

/** The meaning of an Action field (RFC 3464, 2.3.3). */
export type Action = "failed" | "delayed" | "delivered";

/** The fields about one recipient in a delivery status, without information from the notice. */
export interface StatusGroup {
  readonly action: Action | null;
  readonly address: string | null;
  readonly originalRecipient: string | null;
  readonly status: string | null;
  readonly diagnosticCode: string | null;
  readonly reportingMta: string | null;
}

const RECIPIENT_FIELDS = [
  "final-recipient",
  "original-recipient",
  "action",
  "status",
  "diagnostic-code",
  "x-actual-recipient",
];
const NAMING = ["final-recipient", "original-recipient", "x-actual-recipient", "original-rcpt-to"];

const has = (fields: ReadonlyArray<HeaderField>, names: ReadonlyArray<string>): boolean =>
  fields.some(([name]) => names.includes(name.toLowerCase()));

/**
 * Returns the recipients in delivery status texts (RFC 3464, 2). Accepts texts without the empty lines between groups,
 * and with empty lines within a group.
 */
export const statusGroups = (texts: ReadonlyArray<string>): ReadonlyArray<StatusGroup> => {
  const groups: Array<Array<HeaderField>> = [];
  const perMessage: Array<HeaderField> = [];
  for (const block of texts.flatMap(fieldBlocks)) {
    const last = groups.at(-1);
    const continues =
      last !== undefined && !has(block, NAMING) && !block.some(([name]) => has(last, [name.toLowerCase()]));
    let group: Array<HeaderField> | null = continues && has(block, RECIPIENT_FIELDS) ? last : null;
    for (const field of block) {
      const name = field[0].toLowerCase();
      if (group === null && !RECIPIENT_FIELDS.includes(name)) {
        perMessage.push(field);
        continue;
      }
      if (
        group === null ||
        (NAMING.includes(name) && has(group, [name]) && has(group, ["action", "status", "final-recipient"]))
      ) {
        if (groups.length >= MAX_REPORTED_RECIPIENTS) return groups.map((fields) => groupOf(fields, perMessage));
        group = [];
        groups.push(group);
      }
      group.push(field);
    }
  }
  return groups.map((fields) => groupOf(fields, perMessage));
};

const groupOf = (fields: ReadonlyArray<HeaderField>, perMessage: ReadonlyArray<HeaderField>): StatusGroup => {
  const final = readTypedAddress(headerOf(fields, "Final-Recipient"));
  const actual = readTypedAddress(headerOf(fields, "X-Actual-Recipient"));
  const original = readTypedAddress(headerOf(fields, "Original-Recipient"));
  const address = final ?? actual ?? original;
  const status = statusOf(headerOf(fields, "Status"));
  const diagnosticCode = diagnosticOf(headerOf(fields, "Diagnostic-Code"));
  return {
    action: actionOf(headerOf(fields, "Action"), status),
    address,
    originalRecipient:
      original === null || (address !== null && addressKey(original) === addressKey(address)) ? null : original,
    status,
    diagnosticCode,
    reportingMta: mtaOf(perMessage, fields),
  };
};

/** Returns the action of a group. A success status never counts as failed; unknown words, such as Postfix' `deliverable`, count as delivered. */
const actionOf = (field: string, status: string | null): Action | null => {
  const word = field.trim().toLowerCase();
  if (/^(?:delay|defer|retry|warn|transient|queued)/.test(word)) return "delayed";
  if (status?.startsWith("2")) return "delivered";
  if (/^(?:fail|bounce|undeliver|reject|refus|return|expire|perm|fatal|error)/.test(word)) return "failed";
  if (word !== "") return "delivered";
  return status?.startsWith("5") ? "failed" : null;
};

/** Returns a diagnostic without its type: `smtp; 550 5.1.1 …`, `X-Postfix; …`, `X-Notes; …` (RFC 3464, 2.3.6). */
const diagnosticOf = (field: string): string | null => {
  const text = field
    .replace(/^\s{0,5}(?:smtp|x-[a-z0-9-]{1,40}|[a-z]{2,10}-?mta)\s{0,3};\s{0,5}/i, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text === "" ? null : text.slice(0, MAX_DIAGNOSTIC_CHARS);
};

const mtaOf = (perMessage: ReadonlyArray<HeaderField>, fields: ReadonlyArray<HeaderField>): string | null => {
  const field =
    headerOf(perMessage, "Reporting-MTA") ||
    headerOf(fields, "Reporting-MTA") ||
    headerOf(perMessage, "Received-From-MTA");
  const name = /^\S{1,255}/.exec(field.slice(field.indexOf(";") + 1).trim());
  return name?.[0] ?? null;
};

/** Returns the status of a group. The sources are, in this order: the field Status if it names a cause, the code or the words of the diagnostic, the words of the notice. */
export const groupStatus = (field: string | null, diagnostic: string | null, notice: string): string => {
  const enhanced = diagnostic === null ? null : enhancedStatusIn(diagnostic);
  const own = field !== null && field.startsWith("2") ? null : field;
  if (own !== null && isSpecific(own)) {
    const isVague = own.endsWith(".0");
    return isVague && enhanced !== null && isSpecific(enhanced) && !enhanced.endsWith(".0") ? enhanced : own;
  }
  if (enhanced !== null && isSpecific(enhanced)) return enhanced;
  const letter = own?.[0] ?? enhanced?.[0];
  const said = (diagnostic === null ? null : statusFrom(diagnostic)) ?? null;
  if (said !== null && isSpecific(said))
    return letter !== undefined && replyCodeIn(diagnostic ?? "") === null ? `${letter}${said.slice(1)}` : said;
  const noticed = statusFrom(notice) ?? statusByWords(notice);
  if (noticed !== null && isSpecific(noticed)) return letter === undefined ? noticed : `${letter}${noticed.slice(1)}`;
  return own ?? enhanced ?? said ?? "5.0.0";
};

/** Returns the report about the recipient of a group. */
export const recipientOf = (
  group: StatusGroup,
  address: string,
  type: RecipientReport["type"],
  notice: string,
): RecipientReport => ({
  address,
  originalRecipient: group.originalRecipient,
  type,
  status: groupStatus(group.status, group.diagnosticCode, notice),
  diagnosticCode: group.diagnosticCode,
  reportingMta: group.reportingMta,
});
