import type { DeliveredMessage } from "@postern/testkit";

/** Returns a seeded generator of random numbers (mulberry32). */
const numbers = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
};

const WORDS = "invoice meeting report quarter budget draft agenda contract order reminder photos ticket".split(" ");
const SUBJECTS = ["Grüße aus München", "会議の議事録", "Отчёт за квартал", "Ξεκινάμε 🚀", "Łódź: zamówienie"];
const PEOPLE = ["Ann Smith", "Jörg Müller", "田中 健一", "Ольга Иванова", "María García", "Noor Okafor"];
const DAY = 24 * 3600 * 1000;
const START = Date.UTC(2025, 0, 1);

const word = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

/** Generates typical messages, oldest first: plain, alternative, with attachments, forwarded. */
export function* messages(count: number, seed: number): Generator<DeliveredMessage> {
  const below = numbers(seed);
  const text = (words: number) => Array.from({ length: words }, () => WORDS[below(WORDS.length)]).join(" ");
  for (let n = 0; n < count; n++) {
    const arrivedAt = START + Math.floor((n * 400 * DAY) / count);
    const subject = below(4) === 0 ? SUBJECTS[below(SUBJECTS.length)]! : text(2);
    const headers = [
      `Received: from mx.sender.test by mail.bench.test with ESMTPS id ${n}; ${date(arrivedAt)}`,
      `From: ${word(PEOPLE[below(PEOPLE.length)]!)} <person${below(500)}@sender${below(40)}.test>`,
      `To: Bench <bench@bench.test>`,
      ...(below(5) === 0 ? [`Cc: team@bench.test, ${word("Ünlü Kişi")} <unlu@sender3.test>`] : []),
      `Subject: ${word(`${subject} #${n}`)}`,
      `Message-ID: <m${n}.${seed}@sender.test>`,
      ...(below(3) === 0 && n > 0 ? [`In-Reply-To: <m${n - 1}.${seed}@sender.test>`] : []),
      `Date: ${date(arrivedAt)}`,
      "MIME-Version: 1.0",
    ];
    const plain = part("text/plain; charset=utf-8", text(40 + below(160)));
    const alternative = multipart("alternative", `a${n}`, [
      plain,
      part("text/html; charset=utf-8", `<p>${text(80)}</p>`),
    ]);
    const kind = below(20);
    const body =
      kind < 5
        ? plain
        : kind < 13
          ? alternative
          : kind < 19
            ? multipart("mixed", `b${n}`, [alternative, ...Array.from({ length: 1 + below(3) }, () => file(n, below))])
            : multipart("mixed", `c${n}`, [plain, part("message/rfc822", `Subject: inner\r\n${plain}`)]);
    const flags = `${below(20) === 0 ? "F" : ""}${below(12) === 0 ? "R" : ""}${below(10) < 3 ? "" : "S"}`;
    yield { raw: `${headers.join("\r\n")}\r\n${body}`, arrivedAt, flags };
  }
}

const date = (millis: number): string => new Date(millis).toUTCString().replace("GMT", "+0000");

const part = (type: string, body: string): string => `Content-Type: ${type}\r\n\r\n${body}\r\n`;

const file = (n: number, below: (limit: number) => number): string =>
  `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="file-${n}.pdf"\r\n` +
  `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.alloc(300 + below(3000), n)
    .toString("base64")
    .replace(/.{76}/g, "$&\r\n")}\r\n`;

const multipart = (subtype: string, boundary: string, parts: ReadonlyArray<string>): string =>
  `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n${parts.map((each) => `--${boundary}\r\n${each}\r\n`).join("")}--${boundary}--\r\n`;
