import { momentOf, newMessageId } from "./chance.ts";
import { FILES } from "./letters/files.ts";
import { issueHtml } from "./letters/html.ts";
import { PEOPLE } from "./letters/people.ts";
import type { Post } from "./letters/Post.ts";
import type { Series } from "./letters/Series.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** Returns the messages of a series. */
export const seriesPosts = (series: Series, now: number, chance: () => number): ReadonlyArray<Post> =>
  Array.from({ length: series.count }, (_, n) => postOf(series, n, now, chance));

const postOf = (series: Series, n: number, now: number, chance: () => number): Post => {
  const { from, items, count, everyDays, latest, folder = "INBOX", list, files = [] } = series;
  const sentAt = momentOf(now, latest + n * everyDays, chance);
  const [item, blurb = ""] = items[(count - n) % items.length]!.split("|");
  const words = { item: item!, blurb, n: `${count - n}`, ...wordsOf(sentAt), amount: (12 + chance() * 80).toFixed(2) };
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, word: keyof typeof words) => words[word]);
  const [subject, text] = [fill(series.subject), fill(series.text)];
  const wasRead = folder !== "Junk" && (n > 1 ? chance() < 0.85 : chance() < 0.35);
  return {
    message: {
      from,
      to: [PEOPLE.robin],
      subject,
      id: newMessageId(from.address, chance),
      sentAt,
      text: `${text}\n`,
      ...(list === undefined ? {} : { html: issueHtml(from.name, item!, text), headers: listHeaders(from.name, list) }),
      files: () =>
        [...files, ...(list === undefined ? [] : (["bandInline"] as const))].map((file) => FILES[file](sentAt)),
      ...(list === undefined ? {} : { encoding: "quoted-printable" }),
    },
    folder,
    flags: [...(wasRead ? ["\\Seen"] : []), ...(chance() < 0.03 ? ["\\Flagged"] : [])],
  };
};

const wordsOf = (at: number) => {
  const date = new Date(at);
  const month = MONTHS[date.getUTCMonth()]!;
  return { month, year: `${date.getUTCFullYear()}`, date: `${date.getUTCDate()} ${month}` };
};

/** Returns the headers of a mailing list (RFC 2919, RFC 2369). */
const listHeaders = (name: string, list: string): ReadonlyArray<readonly [name: string, value: string]> => [
  ["List-Id", `"${name}" <${list}>`],
  ["List-Unsubscribe", `<mailto:leave@${list.slice(list.indexOf(".") + 1)}?subject=leave>`],
  ["Precedence", "bulk"],
];
