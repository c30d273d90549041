import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isCandidate, recognise } from "@postern/core/bounces";
import { type FuzzedReader, HOSTILE_MAILS, hostileHtml, hostileSheets } from "@postern/testkit";
import { parsedMessage } from "../src/parsed-message.ts";
import { previewTexts } from "../src/preview-texts.ts";
import { readMessage } from "../src/read-message.ts";
import { sanitisedHtml } from "../src/html/sanitised-html.ts";

/** Reports as servers send them, one of each family. */
const REPORTS = new URL("../../../packages/core/test/bounces/corpus/", import.meta.url);
const MAX_REPORT_BYTES = 8_000;

const reports = (): ReadonlyArray<Buffer> =>
  [
    ...Map.groupBy(
      globSync("*/*.eml", { cwd: fileURLToPath(REPORTS) }).toSorted(),
      (name) => name.split("/")[0],
    ).values(),
  ].map(([name]) => readFileSync(new URL(name!, REPORTS)).subarray(0, MAX_REPORT_BYTES));

const HTML = [
  ...hostileHtml("https://evil.test/"),
  ...hostileSheets("https://evil.test/"),
  '<div style="color:red;background:url(https://x.test/a.png)"><img src="cid:a@b" alt=x><a href=" javascript:1">y</a></div>',
  "<table><tr><td style='font-size:1px'>&nbsp;</td><td>Hello<br>you</td></tr></table><style>@media x{p{color:#fff}}</style>",
];

const MAIL =
  "From: =?utf-8?B?Wm/Dqw==?= <z@y.test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n" +
  "--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe\r\n" +
  "--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+eDwvcD4=\r\n--b--\r\n";

/** The small ones of the mails that are each malformed in another way. */
const hostile = (): ReadonlyArray<Buffer> =>
  HOSTILE_MAILS.filter(([what]) => !/MB|,000|without end|never ends|before nothing/.test(what))
    .map(([, make]) => make())
    .filter(({ length }) => length < MAX_REPORT_BYTES);

/** A refusal is an error of postal-mime; a fault of ours causes an error of the language. */
const declares = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);

const CHARSETS = ["utf-8", "iso-2022-jp", "utf-16", "x-klingon", "windows-1252", ""];
const ENCODINGS = ["7bit", "base64", "quoted-printable", "x-uuencode"];

/** Reads an input as a text of a message. The length of the input selects the encoding, so that all encodings are tested. */
const bodyOf = (input: Buffer, type: "text/plain" | "text/html") => ({
  group: 0,
  type,
  parameters: { charset: CHARSETS[input.length % CHARSETS.length]!, format: "flowed" },
  encoding: ENCODINGS[input.length % ENCODINGS.length]!,
  bytes: input,
});

/** These jobs run in a worker with a limit of five seconds of CPU time. postal-mime needs several seconds for 50,000 lines. */
const MAX_MILLIS = 5_000;

export const readers: ReadonlyArray<FuzzedReader> = [
  {
    name: "mime/report",
    corpus: [...reports(), ...hostile(), MAIL],
    read: async (input) => {
      const message = await parsedMessage(input);
      isCandidate(message.headers);
      return recognise(message);
    },
    declares,
    weight: 10,
    maxMillis: MAX_MILLIS,
  },
  {
    name: "mime/message",
    corpus: [MAIL, ...hostile(), `Subject: x\r\n\r\n${"\n".repeat(4_000)}`],
    read: (input) => {
      const bodies = [bodyOf(input, "text/plain"), bodyOf(input, "text/html")];
      return readMessage({ header: input, bodies, pictures: { "a@b": "/picture" } });
    },
    declares,
    weight: 10,
    maxMillis: MAX_MILLIS,
  },
  {
    name: "mime/html",
    corpus: HTML,
    read: (input) => sanitisedHtml(input.toString(), { "a@b": "/picture" }),
    weight: 10,
    maxMillis: MAX_MILLIS,
  },
  {
    name: "mime/preview",
    corpus: HTML,
    read: (input) => previewTexts([bodyOf(input, "text/html"), bodyOf(input, "text/plain")]),
    weight: 10,
    maxMillis: MAX_MILLIS,
  },
];
