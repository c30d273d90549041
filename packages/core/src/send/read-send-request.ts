import { DateTime, Duration, Option, Result } from "effect";
import type { Address } from "../mail/index.ts";
import { mailboxTexts, parseMailbox } from "./addresses.ts";
import type { MessageToSend } from "./MessageToSend.ts";
import { InputInvalid } from "../shared/index.ts";
import { MessageTooLarge } from "./errors.ts";
import {
  DRAFT_HEADER,
  MAX_ATTACHMENTS,
  MAX_CONTENT_BYTES,
  MAX_HEADER_CHARS,
  MAX_HEADERS,
  MAX_RECIPIENTS,
  MAX_REFERENCES,
  MAX_SCHEDULE,
} from "./limits.ts";
import { millisIn, NO_DURATION } from "./rules.ts";
import type { AttachmentRequest, Mailboxes, NamedAddress, OneOrMore, SendRequest } from "./SendRequest.ts";

const CONTROL = /\p{Cc}/u;
const MESSAGE_ID = /^<[!-;=?-~]{3,250}>$/;
/** The form of a media type. A calendar's method is part of its type (RFC 6047, 2.4). */
const MEDIA_TYPE = /^(?:[a-z0-9][\w.+-]{0,62}\/[a-z0-9][\w.+-]{0,62}|text\/calendar; method=[a-z]{1,20})$/i;
const BASE64 = /^[a-z\d+/]*={0,2}$/i;
const CONTENT_ID = /^[!-;=?-~]{1,200}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Validates a request to send; returns the message, or every fault of every field (spec 2.3, 2.4, 6). `now` in epoch
 * ms. In a draft, fields may be missing, and recipients may be incomplete; the text of an incomplete recipient is kept
 * as the address.
 */
export const readSendRequest = (
  request: SendRequest,
  now: number,
  isDraft = false,
  longest = Infinity,
): Result.Result<MessageToSend, InputInvalid | MessageTooLarge> => {
  const errors: Array<{ readonly field: string; readonly message: string }> = [];
  const fault = (field: string, message: string) => void errors.push({ field, message });
  const check = (field: string, good: boolean, message: string) => (good ? undefined : fault(field, message));

  const either = <A>(field: string, result: Result.Result<A, string>): ReadonlyArray<A> =>
    Result.match(result, { onFailure: (message) => (fault(field, message), []), onSuccess: (value) => [value] });
  const split = (field: string, text: string): ReadonlyArray<string> => {
    const texts = mailboxTexts(text);
    if (!isDraft || CONTROL.test(text)) return either(field, texts).flat();
    return Result.getOrElse(texts, () => [text]).filter((one) => one.trim() !== "");
  };
  const entries = (field: string, list: Mailboxes | undefined): ReadonlyArray<string | NamedAddress> =>
    listOf(list)
      .slice(0, MAX_RECIPIENTS + 1)
      .flatMap<string | NamedAddress>((one) => (typeof one === "string" ? split(field, one) : [one]));
  const read = (field: string, one: string | NamedAddress): ReadonlyArray<Address> => {
    const mailbox = parseMailbox(one);
    const { name = "", address } = typeof one === "string" ? { address: one } : one;
    const isKept = isDraft && Result.isFailure(mailbox) && isHeaderText(name) && isHeaderText(address);
    return isKept ? [{ name, address }] : either(field, mailbox);
  };
  const written = {
    to: entries("to", request.to),
    cc: entries("cc", request.cc),
    bcc: entries("bcc", request.bcc),
    replyTo: entries("replyTo", request.replyTo),
  };
  // Entries are counted before they are parsed, because parsing 100,000 addresses takes half a second.
  const recipients = written.to.length + written.cc.length + written.bcc.length;
  const mayBeRead = recipients <= MAX_RECIPIENTS && written.replyTo.length <= MAX_RECIPIENTS;
  const mailboxes = (field: keyof typeof written): ReadonlyArray<Address> =>
    mayBeRead ? written[field].flatMap((one) => read(field, one)) : [];
  const [to, cc, bcc, replyTo] = [mailboxes("to"), mailboxes("cc"), mailboxes("bcc"), mailboxes("replyTo")];
  check("to", isDraft || listOf(request.to).length > 0, "must name a recipient");
  check("to", recipients <= MAX_RECIPIENTS, `must have at most ${MAX_RECIPIENTS} recipients, with cc and bcc`);
  check("replyTo", written.replyTo.length <= MAX_RECIPIENTS, `must have at most ${MAX_RECIPIENTS} addresses`);

  const { subject = "", text = null, html = null } = request;
  check("subject", isDraft || request.subject !== undefined, "is required");
  check("subject", !CONTROL.test(subject), "must not contain control characters");
  check("subject", subject.length <= MAX_HEADER_CHARS, `must have at most ${MAX_HEADER_CHARS} characters`);
  if (text === null && html === null && !isDraft)
    for (const field of ["text", "html"]) fault(field, "is required, unless the other of text and html is given");
  check(
    "trackOpens",
    request.trackOpens !== true || html !== null || isDraft,
    "requires html, which contains the tracking picture",
  );

  const inReplyTo = request.inReplyTo === undefined ? null : messageIdOf(request.inReplyTo.trim());
  const named = listOf(request.references).flatMap((ids) => ids.split(/[\s,]+/).filter(Boolean));
  const references = named.slice(0, MAX_REFERENCES).map(messageIdOf);
  check("inReplyTo", inReplyTo === null || MESSAGE_ID.test(inReplyTo), "must be a Message-ID");
  check(
    "references",
    references.every((id) => MESSAGE_ID.test(id)),
    "must be Message-IDs",
  );
  check("references", named.length <= MAX_REFERENCES, `must have at most ${MAX_REFERENCES} items`);

  const headers = readHeaderFields(request, check);
  const attachments = request.attachments ?? [];
  attachments
    .slice(0, MAX_ATTACHMENTS)
    .forEach((attachment, n) => checkAttachment(attachment, `attachments.${n}`, check));
  const sendAt = request.sendAt === undefined ? null : instantOf(request.sendAt);
  check("sendAt", sendAt !== undefined, "must be a time in ISO 8601 with its offset");
  check("sendAt", (sendAt ?? now) - now <= Duration.toMillis(MAX_SCHEDULE), "must be within a year");

  const expiresAfter = request.expiresAfter === undefined ? null : millisIn(request.expiresAfter);
  check("expiresAfter", expiresAfter !== undefined, NO_DURATION);
  check("expiresAfter", (expiresAfter ?? 0) <= longest, "must be at most SEND_EXPIRES_AFTER of the service");

  if (errors.length > 0) return Result.fail(new InputInvalid({ errors }));
  if (attachments.length > MAX_ATTACHMENTS) {
    return Result.fail(new MessageTooLarge({ detail: `a message may have at most ${MAX_ATTACHMENTS} files` }));
  }
  if (attachments.reduce((sum, { content = "" }) => sum + decodedBytes(content), 0) > MAX_CONTENT_BYTES) {
    return Result.fail(
      new MessageTooLarge({
        detail: `the content of attachments may have at most ${MAX_CONTENT_BYTES} bytes together`,
      }),
    );
  }
  const trackOpens = request.trackOpens === true;
  return Result.succeed({
    to,
    cc,
    bcc,
    replyTo,
    subject,
    text,
    html,
    inReplyTo,
    references,
    headers,
    attachments,
    trackOpens,
    sendAt: sendAt !== undefined && sendAt !== null && sendAt > now ? sendAt : null,
    expiresAfter: expiresAfter ?? null,
  });
};

const listOf = <A>(list: OneOrMore<A> | undefined): ReadonlyArray<A> =>
  list === undefined ? [] : isSeveral(list) ? list : [list];

const isSeveral = <A>(list: OneOrMore<A>): list is ReadonlyArray<A> => Array.isArray(list);

const messageIdOf = (text: string): string => (/^<.*>$/.test(text) ? text : `<${text}>`);

/** Returns whether a text is base64 (RFC 4648, 4). A pattern of groups of four would exhaust the stack at about 5 MB. */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && BASE64.test(text);

const decodedBytes = (base64: string): number => (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);

const instantOf = (text: string): number | undefined =>
  INSTANT.test(text) ? Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis)) : undefined;

const checkAttachment = (
  { id, content, name, type, contentId }: AttachmentRequest,
  field: string,
  check: (field: string, good: boolean, message: string) => void,
): void => {
  check(field, (id === undefined) !== (content === undefined), "must have an id or content, and not both");
  check(`${field}.content`, content === undefined || isBase64(content), "must be base64");
  check(
    `${field}.name`,
    name === undefined || (name.length > 0 && name.length <= 255 && !CONTROL.test(name)),
    "must be a file name without control characters, 255 at most",
  );
  check(`${field}.type`, type === undefined || MEDIA_TYPE.test(type), "must be a media type such as image/png");
  check(`${field}.contentId`, contentId === undefined || CONTENT_ID.test(contentId), "must be a Content-ID");
};

const NAME = /^(?:(?:X|List)-[a-z0-9-]{1,70}|Auto-Submitted|Precedence|Feedback-ID|Importance)$/i;
const DRAFT_MARK = new RegExp(`^${DRAFT_HEADER}$`, "i");
const UNSUBSCRIBE = /^List-Unsubscribe(?:-Post)?$/i;
/** A URL that needs no encoding between angle brackets. */
const URL_TEXT = /^https:\/\/[!-;=?-~]{1,900}$/i;

/** Returns whether a text may be the value of a header field. */
const isHeaderText = (text: string): boolean => !CONTROL.test(text) && text.length <= MAX_HEADER_CHARS;

/** Returns the further header fields of a message (spec 6.2). `unsubscribe` adds the pair of RFC 8058. Every fault is reported with its field. */
const readHeaderFields = (
  { headers: given = {}, unsubscribe }: Pick<SendRequest, "headers" | "unsubscribe">,
  check: (field: string, good: boolean, message: string) => void,
): ReadonlyArray<readonly [name: string, value: string]> => {
  const headers = Object.entries(given);
  check("headers", headers.length <= MAX_HEADERS, `must have at most ${MAX_HEADERS} fields`);
  for (const [name, value] of headers.slice(0, MAX_HEADERS)) {
    check(
      "headers",
      NAME.test(name),
      "must have the names Auto-Submitted, Precedence, Feedback-ID, Importance, or names that begin with List- or X-",
    );
    check("headers", !DRAFT_MARK.test(name), `must not have ${DRAFT_HEADER}, which marks drafts`);
    check(
      "headers",
      isHeaderText(value),
      `must have values of at most ${MAX_HEADER_CHARS} characters, without control characters`,
    );
  }
  if (unsubscribe === undefined) return headers;
  const { url, oneClick = false } = unsubscribe;
  check("unsubscribe.url", URL_TEXT.test(url), "must be an https URL of at most 900 ASCII characters");
  check("unsubscribe", !headers.some(([name]) => UNSUBSCRIBE.test(name)), "must not go together with List-Unsubscribe");
  return [
    ...headers,
    ["List-Unsubscribe", `<${url}>`],
    ...(oneClick ? [["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"] as const] : []),
  ];
};
