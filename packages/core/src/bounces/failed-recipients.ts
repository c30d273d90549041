import type { Family } from "./families/Family.ts";
import { addressKey } from "../mail/index.ts";
import { findAddresses } from "./mail-address.ts";
import { FAILURE_WORDS } from "./phrases/notice-phrases.ts";
import { replyCodeIn, enhancedStatusIn, statusByWords } from "./enhanced-status.ts";
import { MAX_REPORTED_RECIPIENTS } from "./Report.ts";
import { foldText } from "./text-folding.ts";

/** An address that a notice reports as failed, with the lines that give the reason. */
export interface NamedRecipient {
  readonly address: string;
  readonly detail: string;
}

export interface NoticeContext {
  readonly notice: ReadonlyArray<string>;
  readonly family: Family | null;
  /** Addresses in X-Failed-Recipients and similar fields. */
  readonly declared: ReadonlyArray<string>;
  readonly returnedTo: ReadonlyArray<string>;
  /** Addresses that cannot have failed: the sender's and the reporter's. */
  readonly excluded: ReadonlySet<string>;
}

const DETAIL_LINES = 14;
const ROLE =
  /^(?:postmaster|mailer-daemon|abuse|support|help(?:desk)?|info-?desk|noreply|no-reply|do-?not-?reply|hostmaster|webmaster|mail-?admin|administrator|spam)$/i;

/** Text other than prose that may precede an address at the start of a line. */
const LEAD =
  /^[\s*•·\-–—=>"'({[]{0,16}(?:\d{3}[ -])?(?:\d\.\d{1,3}\.\d{1,3} )?(?:(?:smtp|rfc822|mailto|internet|unknown)[;:=]\s?)?(?:\d{1,2}[.)] )?["'<({[]{0,4}$/i;
const LABEL =
  /(?:recipients?|rcpt(?: |-)?to|addressee|addressed to|(?:e-?mail )?address(?:es)?|user|mailbox|for|to|empfänger|an|destinataires?|destinat[aá]rios?|destinatari[oa]?|para|à|ontvangers?|aan|odbiorc[ay]|do|получател[ьи]|адрес(?:ат)?|кому|alıcı|kime|mottagare|modtager|受信者|宛先|収件人|收件人|收件者|수신자|받는 ?사람)(?: address)?(?:\(s\)|\(to\))?\s{0,4}[:：=]\s{0,8}["'<(]{0,3}(?:mailto:)?["'<]{0,2}$/iu;
const SENDER_LABEL =
  /(?:from|sender|reply-to|return-path|von|absender|de|remitente|remetente|mittente|van|od|от|отправитель|差出人|发件人|寄件人|보낸 ?사람|originator|message-?id|mail from|contact|questions?|cc)\s{0,4}[:：=]?\s{0,4}["'<(]{0,3}$/iu;

type Strength = 4 | 3 | 2 | 1;
interface Sighting {
  readonly address: string;
  readonly line: number;
  readonly strength: Strength;
}

/** Returns the recipients that a free-text notice reports, using only the strongest kind of evidence found. */
export const failedRecipients = (context: NoticeContext): ReadonlyArray<NamedRecipient> => {
  const seen = sightings(context);
  const declared = distinct(context.declared);
  const report = (address: string) => ({ address, detail: detailOf(context.notice, address, seen) });
  if (declared.length > 0) return declared.map(report);
  const sent = new Set(context.returnedTo.map(addressKey));
  for (const strength of [4, 3, 2, 1] as const) {
    let found = seen.filter((one) => one.strength >= strength);
    if (found.length === 0) continue;
    const known = found.filter(({ address }) => sent.has(addressKey(address)));
    if (strength <= 2 && known.length > 0) found = known;
    if (
      strength === 1 &&
      known.length === 0 &&
      new Set(found.map(({ address }) => addressKey(address))).size > 1 &&
      sent.size > 0
    )
      break;
    return distinct(found.map(({ address }) => address)).map(report);
  }
  return sent.size === 1 ? [{ address: context.returnedTo[0]!, detail: context.notice.slice(0, 40).join("\n") }] : [];
};

const distinct = (addresses: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Map(addresses.toReversed().map((address) => [addressKey(address), address])).values()]
    .toReversed()
    .slice(0, MAX_REPORTED_RECIPIENTS);

const sightings = ({ notice, family, excluded }: NoticeContext): ReadonlyArray<Sighting> => {
  const found: Array<Sighting> = [];
  for (let n = 0; n < notice.length && found.length < 200; n++) {
    const line = notice[n]!;
    if (!line.includes("@")) continue;
    const own = family?.recipient?.line.exec(line) ?? null;
    for (const { address, start, end } of findAddresses(line, 10)) {
      const local = address.slice(0, address.lastIndexOf("@"));
      if (excluded.has(addressKey(address)) || ROLE.test(local)) continue;
      const before = line.slice(0, start);
      if (SENDER_LABEL.test(before.slice(-40)) && !LABEL.test(before.slice(-60))) continue;
      if (/message-?id|references:|in-reply-to|https?:\/\/\S{0,200}$/i.test(before.slice(-220))) continue;
      const strength = strengthOf(notice, n, before, line.slice(end), own !== null && before.length >= own.index);
      found.push({ address, line: n, strength });
      if (strength >= 3 && !/^[\s>"')]{0,4}[,;]/.test(line.slice(end))) break;
    }
  }
  return found;
};

const strengthOf = (
  notice: ReadonlyArray<string>,
  n: number,
  before: string,
  after: string,
  byFamily: boolean,
): Strength => {
  if (byFamily) return 4;
  const isTranscript = /^\s{0,4}(?:>>>|<<<)/.test(before);
  if (LEAD.test(before) && !(isTranscript && /rcpt|mail/i.test(before))) {
    const alone = /^[\s>"')\]}]{0,5}$/.test(after);
    if (alone) return 3;
    if (/^[\s>"')\]}]{0,5}(?:[:;([,=<-]|\.\.\.|on \w{3}, )/.test(after) || /^>?\s{2,}\S/.test(after)) return 3;
  }
  if (LABEL.test(before.slice(-60))) return 3;
  const near = foldText([notice[n - 1] ?? "", notice[n]!, notice[n + 1] ?? ""].join(" "));
  return FAILURE_WORDS.test(near) || replyCodeIn(notice[n]!) !== null || statusByWords(notice[n]!) !== null ? 2 : 1;
};

/**
 * Returns the lines from each mention of a recipient up to the next recipient, followed by the whole notice if these
 * lines give no reason.
 */
const detailOf = (notice: ReadonlyArray<string>, address: string, seen: ReadonlyArray<Sighting>): string => {
  const isOwn = (one: Sighting) => addressKey(one.address) === addressKey(address);
  const others = seen.filter((one) => one.strength >= 3 && !isOwn(one)).map(({ line }) => line);
  const excerpts: Array<string> = [];
  let last = 0;
  for (const { line } of seen.filter((one) => isOwn(one) && one.strength >= 2).slice(0, 4)) {
    if (line < last) continue;
    last = Math.min(notice.length, line + DETAIL_LINES, ...others.filter((other) => other > line));
    excerpts.push(...notice.slice(line, last));
  }
  const own = excerpts.join("\n").replaceAll(address, "");
  const says = replyCodeIn(own) !== null || enhancedStatusIn(own) !== null || statusByWords(own) !== null;
  return says ? own : `${own}\n${notice.slice(0, 80).join("\n")}`;
};
