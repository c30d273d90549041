import { readdirSync, readFileSync } from "node:fs";
import { refusalCause, tokenRefusalCause } from "../src/accounts/refusal-cause.ts";
import { fieldBlocks } from "../src/bounces/header-block.ts";
import { htmlText } from "../src/bounces/html-text.ts";
import { decodeXtext, findAddresses, readTypedAddress } from "../src/bounces/mail-address.ts";
import { readMark } from "../src/drafts/draft-mark.ts";
import { folderName } from "../src/folders/folder-name.ts";
import { addressKey } from "../src/mail/address-key.ts";
import { isAutomaticHeader } from "../src/mail/automatic.ts";
import { deriveThreadId } from "../src/mail/thread-id.ts";
import { authenticationResults } from "../src/messages/authentication-results.ts";
import { decodeCursor } from "../src/messages/page.ts";
import { previewOf } from "../src/messages/preview-of.ts";
import { answerFields, firstAndLatest, relatedIds } from "../src/messages/related-ids.ts";
import { splitQuoted } from "../src/messages/split-quoted.ts";
import { parseMailboxes } from "../src/send/addresses.ts";
import { accountIdOf } from "../src/shared/AccountId.ts";
import { readEndpointUrl } from "../src/webhooks/endpoint-url.ts";

/** Answers to mail, as input for the code that separates new text from quoted text. */
const ANSWERS = new URL("./answers/", import.meta.url);
const MAX_ANSWERS = 12;

const answers = (): ReadonlyArray<string> =>
  readdirSync(ANSWERS, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(txt|eml)$/.test(name))
    .toSorted()
    .slice(0, MAX_ANSWERS)
    .map((name) => readFileSync(new URL(name, ANSWERS), "latin1"));

const HEADER =
  "Auto-Submitted: auto-replied (vacation)\r\nPrecedence: bulk\r\nReferences: <a@b> <c@d>\r\n\t<e@f>\r\nIn-Reply-To: <e@f>\r\n" +
  'Message-ID: <g@h>\r\nFrom: =?utf-8?Q?Zo=C3=AB?= <z@y.org>\r\nTo: a@b.c, "Roe, Jane" <j@d.e>, undisclosed:;\r\nSubject: Re: x\r\n';

/** As `FuzzedReader` of the test kit, which imports this package. */
export const readers = [
  {
    name: "core/header",
    corpus: [HEADER, "Return-Path: <>\r\nX-Auto-Response-Suppress: All\r\n", "Precedence:\r\n list\r\n"],
    read: (header: Buffer) => {
      isAutomaticHeader(header);
      firstAndLatest(relatedIds(header));
      answerFields(header);
      fieldBlocks(header.toString());
    },
  },
  {
    name: "core/authentication-results",
    corpus: ['mx.x.test 1; spf=pass (a (b) c) smtp.mailfrom=x; dkim=fail reason="a;b"; dmarc = none', "x; none"],
    read: (input: Buffer) => authenticationResults([["Authentication-Results", input.toString()]]),
  },
  {
    name: "core/thread-id",
    corpus: ["<a@b> <c@d>", "<root@x.test>\r\n <leaf@x.test>", "no ids <>"],
    read: (input: Buffer) =>
      deriveThreadId({ messageId: "<m@x>", inReplyTo: input.toString(), references: input.toString("latin1") }),
  },
  {
    name: "core/addresses",
    corpus: [
      'a@b.c, "Roe, Jane" <jane@d.e>',
      "J\xc3\xbcrgen <j@m\xc3\xbcller.de>",
      "a(b)@c, <@x:y@z>, g:;",
      "rfc822;a+2Bb@c",
    ],
    read: (input: Buffer) => {
      const text = input.toString();
      parseMailboxes(text);
      for (const { address } of findAddresses(text)) addressKey(address);
      readTypedAddress(text);
      decodeXtext(text);
      accountIdOf(text);
    },
  },
  {
    name: "core/text",
    corpus: [
      ...answers(),
      "Yes.\r\n\r\nOn Mon, 1 Jan 2024 at 10:00, Ann <a@b.c> wrote:\r\n> Are you?\r\n>> No.\r\n-- \r\nBob\r\n",
      "Am 01.01.2024 um 10:00 schrieb Ann:\n\n-----Original Message-----\nFrom: Ann\nSent: x\nTo: y\nSubject: z\n\nText",
    ],
    read: (input: Buffer) => {
      const { newText } = splitQuoted(input.toString());
      return previewOf(newText);
    },
  },
  {
    name: "core/html-of-reports",
    corpus: ["<p>Your message to <b>a@b.c</b> &lt;x&gt;<br>failed</p><style>p{}</style><!-- x --><script>1</script>"],
    read: (input: Buffer) => htmlText(input.toString()),
  },
  {
    name: "core/refusals",
    corpus: ["[AUTHENTICATIONFAILED] Invalid credentials (Failure)", "535 5.7.139 basic auth is disabled", "Too many"],
    read: (input: Buffer) => {
      const text = input.toString();
      refusalCause({ text, mechanisms: text.split(" ") });
      tokenRefusalCause(text);
    },
  },
  {
    name: "core/values-of-clients",
    corpus: ["MS43LjkuMi5mXzE", "drf_1 tok", "https://user@h.test:443/p?q#f", "http://[::ffff:10.0.0.1]/", "Work/2024"],
    read: (input: Buffer) => {
      const text = input.toString();
      decodeCursor(text);
      readMark(text);
      readEndpointUrl(text);
      folderName(text, "/");
      accountIdOf(text);
    },
  },
];
