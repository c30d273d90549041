import { fieldBlocks, fieldOf, headerStart } from "./header-block.ts";
import { htmlText } from "./html-text.ts";
import { findAddresses, firstAddress } from "./mail-address.ts";
import { FAILURE_WORDS, REFUSAL_WORDS } from "./phrases/notice-phrases.ts";
import {
  type HeaderField,
  headerOf,
  type MessagePart,
  type ParsedMessage,
  MAX_PARTS,
  MAX_PART_CHARS,
} from "../mail/index.ts";
import { headersOf } from "../mail/neighbours.ts";
import type { ReturnedMessage } from "./Report.ts";
import { foldText } from "./text-folding.ts";

const MAX_LINES = 1_500;
const MAX_LINE_CHARS = 1_000;

/** The texts of a possible report: its machine-readable parts, the notice for people, and the returned message. */
export interface MessageTexts {
  /** Texts with delivery status fields (RFC 3464), whatever their media type. */
  readonly statuses: ReadonlyArray<string>;
  /** Whether the status fields occur only in prose, where a person may have quoted the fields. */
  readonly isStatusQuoted: boolean;
  /** Texts with feedback fields (RFC 5965). */
  readonly feedback: ReadonlyArray<string>;
  /** The notice without the returned message. */
  readonly notice: ReadonlyArray<string>;
  /** The header of the returned message. */
  readonly returnedHeaders: ReadonlyArray<HeaderField>;
  /** Whether the message is a receipt (RFC 8098); false for a refusal that is sent in the form of a receipt. */
  readonly hasReceipt: boolean;
}

const STATUS_TYPES = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
  "application/delivery-status",
]);
const RETURNED_TYPES = new Set([
  "message/rfc822",
  "message/global",
  "text/rfc822-headers",
  "text/rfc822",
  "message/rfc822-headers",
  "message/global-headers",
  "message/news",
]);
const RECIPIENT_FIELD = /^[ \t]{0,4}(?:final-recipient|original-recipient)[ \t]{0,2}:/im;
const STATUS_FIELD = /^[ \t]{0,4}(?:action|status|diagnostic-code)[ \t]{0,2}:/im;
const FEEDBACK_FIELD = /^feedback-type[ \t]{0,2}:/im;
const FEEDBACK_COMPANION = /^(?:user-agent|version|source-ip|reported-domain|original-mail-from)[ \t]{0,2}:/im;

const saysStatus = (text: string): boolean => RECIPIENT_FIELD.test(text) && STATUS_FIELD.test(text);

const MAX_STATED_LINES = 60;
const MAX_FOLDED_CHARS = 6_000;

/** Returns the lines of a notice that may state the outcome. */
export const statedLines = ({ notice }: MessageTexts): string => notice.slice(0, MAX_STATED_LINES).join("\n");

/** Returns the lines of a notice that may state the outcome, in the form in which rules compare them. */
export const foldedNotice = (texts: MessageTexts): string => foldText(statedLines(texts).slice(0, MAX_FOLDED_CHARS));

/** Sorts the parts of a message into the texts of a report. */
export const messageTexts = (message: ParsedMessage): MessageTexts => {
  const parts = message.parts.slice(0, MAX_PARTS);
  const statuses: Array<string> = [];
  const feedback: Array<string> = [];
  const receipts: Array<string> = [];
  const shown: Array<string> = [];
  const html: Array<string> = [];
  let returnedHeaders: ReadonlyArray<HeaderField> = [];
  for (const part of parts) {
    const text = part.text.slice(0, MAX_PART_CHARS);
    const nested = nestedHeaders(part, text);
    if (nested.length > 0) returnedHeaders = returnedHeaders.length > 0 ? returnedHeaders : nested;
    else if (part.type === "message/feedback-report" || (FEEDBACK_FIELD.test(text) && FEEDBACK_COMPANION.test(text)))
      feedback.push(text);
    else if (STATUS_TYPES.has(part.type)) statuses.push(text);
    else if (part.type.endsWith("disposition-notification")) receipts.push(text);
    else if (part.type === "text/html") html.push(htmlText(text));
    else if (part.type.startsWith("text/") || saysStatus(text)) shown.push(text);
  }
  const plain = shown.join("\n");
  const lines = linesOf(plain.trim().length >= 20 || html.length === 0 ? plain : html.join("\n"));
  const embedded = lines.join("\n");
  const isStatusQuoted = statuses.length === 0 && saysStatus(embedded);
  if (isStatusQuoted) statuses.push(embedded);
  const start = returnedStart(lines);
  if (returnedHeaders.length === 0 && start !== -1) returnedHeaders = embeddedHeaders(lines, start);
  const notice = noticeOf(lines, start);
  const isRefusal = REFUSAL_WORDS.test(foldText(notice.slice(0, 40).join("\n")));
  if (isRefusal) statuses.push(...receipts);
  return {
    statuses,
    isStatusQuoted,
    feedback,
    notice,
    returnedHeaders,
    hasReceipt:
      !isRefusal &&
      (receipts.length > 0 || /disposition-notification/i.test(headerOf(message.headers, "Content-Type"))),
  };
};

/**
 * Returns the text above the returned header; if that contains no notice, also the text below the header, where some
 * reporters write it.
 */
const noticeOf = (lines: ReadonlyArray<string>, start: number): ReadonlyArray<string> => {
  if (start === -1) return lines;
  const before = lines.slice(0, start);
  if (FAILURE_WORDS.test(foldText(before.join("\n"))) || before.some((line) => line.includes("@"))) return before;
  const end = lines.findIndex((line, n) => n > start + 1 && line.trim() === "");
  return end === -1 ? before : [...before, ...lines.slice(end)];
};

const nestedHeaders = (part: MessagePart, text: string): ReadonlyArray<HeaderField> => {
  if (part.message !== null) return part.message.headers;
  return RETURNED_TYPES.has(part.type) ? (fieldBlocks(text)[0] ?? []) : [];
};

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\r\n|[\r\n]/)
    .slice(0, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_CHARS).replaceAll("\u00a0", " "));

/** Lines that only announce the returned message. */
const SEPARATOR =
  /^\W{0,12}(?:this is a copy of (?:the|your) message|below this line is (?:a copy of the message|the original)|below is a copy of the original|(?:the )?(?:original|unsent|undelivered|returned|rejected|failed|bounced) (?:mail|message|e-?mail)(?: (?:header|headers|text|follows|is attached|below|body|content|contents|details|info|information))?(?: follows?| below)?|message (?:header|headers|text|contents?) (?:follows?|is as follows)|(?:the )?header of the original message|start of (?:the )?(?:returned|original|undelivered) message|copy of (?:your|the) (?:original )?(?:message|mail)|your (?:original )?message(?: follows|:)|ursprüngliche nachricht|originalnachricht|message d'origine|message original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|исходное сообщение|元のメッセージ|元メール|原始邮件|原邮件|원본 메시지)/iu;

const returnedStart = (lines: ReadonlyArray<string>): number => {
  const structural = headerStart(lines);
  const end = structural === -1 ? lines.length : structural;
  for (let n = 1; n < end; n++) {
    const line = lines[n]!;
    if (
      line.length < 160 &&
      SEPARATOR.test(line) &&
      lines.slice(n + 1, n + 6).some((next) => fieldOf(next) !== null && !/^\s{9}/.test(next))
    )
      return n;
  }
  return structural;
};

const embeddedHeaders = (lines: ReadonlyArray<string>, start: number): ReadonlyArray<HeaderField> => {
  const block: Array<string> = [];
  let inside = false;
  for (const line of lines.slice(start)) {
    const field = fieldOf(line);
    if (!inside && field === null) continue;
    if (inside && line.replace(/^>/, "").trim() === "") break;
    inside = true;
    block.push(line.replace(/^>/, "").replace(/^\s{1,8}(?=[A-Za-z][A-Za-z0-9-]{1,60}:)/, ""));
  }
  return fieldBlocks(block.join("\n"))[0] ?? [];
};

const MESSAGE_ID = /<[^<>\s@]{1,400}@[^<>\s]{1,400}>/g;
const ID_LABEL = /(?:message|nachrichten)[- ]?id\b|x-original-message-id|in-reply-to|references/i;

/** Collects the fields of the returned message, from its header first, then from the report's own references. */
export const readReturnedMessage = (message: ParsedMessage, texts: MessageTexts): ReturnedMessage => {
  const headers = texts.returnedHeaders;
  const ids = new Set<string>();
  const collect = (value: string) => {
    for (const [id] of value.matchAll(MESSAGE_ID)) if (ids.size < 20) ids.add(id);
  };
  for (const name of ["Message-ID", "X-Original-Message-ID", "X-SES-Message-ID"])
    for (const value of headersOf(headers, name)) collect(value);
  for (const name of ["X-Original-Message-ID", "In-Reply-To", "References"]) collect(headerOf(message.headers, name));
  const text = [
    ...texts.notice.slice(0, 400),
    ...texts.statuses.flatMap((status) => status.split(/\r?\n/).slice(0, 200)),
  ];
  text.forEach((line, n) => {
    if (ID_LABEL.test(line)) collect(`${line} ${/:\s*$/.test(line) ? (text[n + 1] ?? "") : ""}`);
  });
  const subject =
    headerOf(headers, "Subject") ||
    findLabelled(
      texts.notice,
      "subject|betreff|objet|asunto|assunto|oggetto|onderwerp|temat|тема|件名|主题|主題|제목",
    ) ||
    subjectOf(headerOf(message.headers, "Subject"));
  return {
    messageIds: [...ids],
    envelopeId: envelopeIdOf(texts, headers),
    subject: subject === "" ? null : subject.slice(0, 998),
    from: firstAddress(headerOf(headers, "From")),
    to: [...headersOf(headers, "To"), ...headersOf(headers, "Cc")]
      .flatMap((value) => findAddresses(value).map(({ address }) => address))
      .slice(0, 50),
  };
};

const findLabelled = (lines: ReadonlyArray<string>, labels: string): string => {
  const pattern = new RegExp(
    `^[\\s>*-]{0,12}(?:original |message )?(?:${labels})\\s{0,3}[:：]\\s{0,8}(\\S.{0,900})$`,
    "iu",
  );
  for (const line of lines.slice(0, 200)) {
    const found = pattern.exec(line);
    if (found !== null) return found[1]!.trim();
  }
  return "";
};

/** Returns the original subject from the subject of a bounce: `Undeliverable: Monthly report`. */
const subjectOf = (subject: string): string => /^[^:：]{4,60}[:：]\s?(\S.{0,900})$/u.exec(subject)?.[1]?.trim() ?? "";

const envelopeIdOf = (texts: MessageTexts, headers: ReadonlyArray<HeaderField>): string | null => {
  for (const status of texts.statuses)
    for (const block of fieldBlocks(status)) {
      const value = headerOf(block, "Original-Envelope-Id");
      if (value !== "") return value.slice(0, 200);
    }
  const own =
    headerOf(headers, "X-Envelope-ID") ||
    texts.feedback.map((text) => headerOf(fieldBlocks(text).flat(), "Original-Envelope-Id")).find(Boolean) ||
    "";
  return own === "" ? null : own.slice(0, 200);
};
