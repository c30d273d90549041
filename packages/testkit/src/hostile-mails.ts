const crlf = (...lines: ReadonlyArray<string>): string => lines.join("\r\n");

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

const nested = (depth: number, subtype: string): Buffer => {
  const open = Array.from(
    { length: depth },
    (_, n) => `Content-Type: multipart/${subtype}; boundary="b${n}"\r\n\r\n--b${n}\r\n`,
  ).join("");
  const close = Array.from({ length: depth }, (_, n) => `\r\n--b${depth - 1 - n}--`).join("");
  return latin1(`Subject: nested\r\nMIME-Version: 1.0\r\n${open}Content-Type: text/plain\r\n\r\ndeep${close}\r\n`);
};

const forwarded = (depth: number): Buffer =>
  latin1(`Subject: fwd\r\nMIME-Version: 1.0\r\n${"Content-Type: message/rfc822\r\n\r\n".repeat(depth)}\r\ninner\r\n`);

const parts = (count: number, part: string): Buffer =>
  latin1(
    `Subject: parts\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="B"\r\n\r\n${part.repeat(count)}--B--\r\n`,
  );

const text = (headers: string, body: string): Buffer =>
  latin1(`Subject: text\r\nMIME-Version: 1.0\r\n${headers}\r\n\r\n${body}\r\n`);

/** Messages that are each malformed or costly in a different way. */
export const HOSTILE_MAILS: ReadonlyArray<readonly [what: string, make: () => Buffer]> = [
  ["nested 1,000 deep", () => nested(1000, "mixed")],
  ["alternatives nested 1,000 deep", () => nested(1000, "alternative")],
  ["forwarded 1,000 times", () => forwarded(1000)],
  ["200,000 empty parts", () => parts(200_000, "--B\r\n\r\n\r\n")],
  ["50,000 parts of html", () => parts(50_000, "--B\r\nContent-Type: text/html\r\n\r\n<p>x\r\n")],
  ["a header of 50 MB", () => latin1(`Subject: x\r\nX-Big: ${"a".repeat(50_000_000)}\r\n\r\nbody\r\n`)],
  ["a subject of 5 MB", () => latin1(`Subject: ${"s".repeat(5_000_000)}\r\n\r\nbody\r\n`)],
  ["100,000 header fields", () => latin1(`${"X-A: b\r\n".repeat(100_000)}\r\nbody\r\n`)],
  ["100,000 recipients", () => latin1(`To: ${"a@b.c, ".repeat(100_000)}d@e.f\r\n\r\nbody\r\n`)],
  ["encoded words without end", () => latin1(`Subject: ${"=?utf-8?B?YWE=?= ".repeat(50_000)}\r\n\r\nbody\r\n`)],
  ["a missing boundary", () => text("Content-Type: multipart/mixed", "--x\r\n\r\nstill text\r\n--x--")],
  ["a boundary that never comes", () => text('Content-Type: multipart/mixed; boundary="never"', "nothing here")],
  ["an empty boundary", () => text('Content-Type: multipart/mixed; boundary=""', "--\r\n\r\nx\r\n----")],
  ["broken base64", () => text("Content-Transfer-Encoding: base64", "!!!!====\x80\xff====SGVsbG8")],
  ["8 MB of base64 in one line", () => text("Content-Transfer-Encoding: base64", "QUFB".repeat(2_000_000))],
  [
    "quoted-printable that never ends",
    () => text("Content-Transfer-Encoding: quoted-printable", "=\r\n".repeat(500_000)),
  ],
  ["white space before nothing", () => text("Content-Transfer-Encoding: quoted-printable", " ".repeat(3_000_000))],
  ["an unknown charset", () => text('Content-Type: text/plain; charset="x-klingon"', "Gr\xfc\xdfe")],
  ["a charset of 1 MB", () => text(`Content-Type: text/plain; charset="${"x".repeat(1_000_000)}"`, "x")],
  ["UTF-16 without its mark", () => text("Content-Type: text/plain; charset=utf-16", "\0h\0i")],
  ["UTF-7", () => text("Content-Type: text/plain; charset=utf-7", "Hi +AKM-")],
  [
    "an encoding of many layers",
    () =>
      text(
        "Content-Transfer-Encoding: base64",
        Buffer.from(Buffer.from("x".repeat(2_000_000)).toString("base64")).toString("base64"),
      ),
  ],
  ["flowed text of spaces", () => text("Content-Type: text/plain; format=flowed; delsp=yes", "a \r\n".repeat(300_000))],
  [
    "html of 300,000 tags",
    () => text("Content-Type: text/html", "<div style='color:red;background:url(x)'>".repeat(300_000)),
  ],
  ["html of open angle brackets", () => text("Content-Type: text/html", "<".repeat(1_500_000))],
  ["html of one attribute", () => text("Content-Type: text/html", `<p title="${"&quot;".repeat(300_000)}`)],
  ["html comments without end", () => text("Content-Type: text/html", "<!--".repeat(500_000))],
  ["html entities", () => text("Content-Type: text/html", "&amp;".repeat(400_000))],
  ["styles without end", () => text("Content-Type: text/html", `<style>${"a{b:url(http://x.test)}".repeat(80_000)}`)],
  [
    "a style attribute of calls",
    () => text("Content-Type: text/html", `<p style="width:${"calc(".repeat(300_000)}">x`),
  ],
  ["metas without end", () => text("Content-Type: text/html", `\xff${"<meta ".repeat(300_000)}`)],
  ["parameters without end", () => latin1(`Content-Type: text/plain${"; a=b".repeat(40_000)}\r\n\r\nx\r\n`)],
  [
    "continued parameters",
    () =>
      latin1(
        `Content-Type: text/plain;${Array.from({ length: 20_000 }, (_, n) => ` name*${n}=a;`).join("\r\n")}\r\n\r\nx\r\n`,
      ),
  ],
  ["bare line feeds", () => latin1("Subject: lf\nContent-Type: text/plain\n\nonly lf\n")],
  ["bare carriage returns", () => latin1("Subject: cr\rContent-Type: text/plain\r\ronly cr\r")],
  ["bytes of zero", () => Buffer.concat([latin1("Subject: nul\r\n\r\n"), Buffer.alloc(100_000, 1)])],
  ["a body without header", () => latin1("\r\nno header\r\n")],
  ["a header without body", () => latin1("Subject: only\r\n")],
];

/** A thousand messages composed at random, with a fixed seed, from parts of real and hostile messages. */
export const randomMails = (count: number): ReadonlyArray<Buffer> => {
  let seed = 20_260_101;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const pick = <A>(from: ReadonlyArray<A>): A => from[random(from.length)]!;
  const TYPES = [
    "text/plain",
    "text/html",
    "TEXT/HTML",
    "text/plain; format=flowed",
    "application/pdf",
    "image/png",
    "message/rfc822",
    "text/calendar",
    "multipart/mixed",
    ";;;",
    "text",
    "message/delivery-status",
  ];
  const CHARSETS = [
    "",
    "; charset=utf-8",
    "; charset=iso-8859-1",
    '; charset="gb2312"',
    "; charset=shift_jis",
    "; charset=koi8-r",
    "; charset=x-none",
    "; charset=us-ascii",
    "; charset=''",
    "; charset=utf-16le",
  ];
  const ENCODINGS = ["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "BASE64", "none", ""];
  const BODIES = [
    "Hello",
    "<p onclick=x()>Hi<script>alert(1)</script>",
    "SGVsbG8=",
    "=C3=BC=\r\n",
    "\xff\xfe\x80",
    "begin 644 x\r\n#AAAA\r\n`\r\nend",
    "--b\r\n--b--",
    "",
    "\r\n\r\n",
    "=",
    "&lt;&#0;&#x110000;",
    "<a href='javascript:1'>",
    "<img src=cid:a@x>",
  ];
  const entity = (depth: number): string => {
    if (depth > 0 && random(3) > 0) {
      const boundary = pick(["b", "b1", "=_x", "b b", "'b'"]);
      const inner = Array.from({ length: random(4) }, () => `--${boundary}\r\n${entity(depth - 1)}\r\n`).join("");
      const end = random(4) === 0 ? "" : `--${boundary}--\r\n`;
      return `Content-Type: multipart/${pick(["mixed", "alternative", "related", "report", "digest", "x"])}; boundary="${boundary}"\r\n\r\n${inner}${end}`;
    }
    return crlf(
      `Content-Type: ${pick(TYPES)}${pick(CHARSETS)}`,
      `Content-Transfer-Encoding: ${pick(ENCODINGS)}`,
      ...(random(3) === 0
        ? [
            `Content-Disposition: ${pick(["attachment", "inline", "x"])}; filename="${pick(["a.txt", "../x", "=?utf-8?Q?=C3=BC?=", ""])}"`,
          ]
        : []),
      ...(random(4) === 0 ? ["Content-ID: <a@x>"] : []),
      "",
      Array.from({ length: 1 + random(4) }, () => pick(BODIES)).join(pick(["", "\r\n", " "])),
    );
  };
  return Array.from({ length: count }, (_, n) =>
    latin1(
      crlf(
        `Subject: ${pick(["plain", "=?utf-8?B?w7w=?=", "=?x?Q?", ""])} ${n}`,
        `Message-ID: <r${n}@x>`,
        "MIME-Version: 1.0",
        entity(4),
      ),
    ),
  );
};
