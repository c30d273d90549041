import { type FuzzedReader, scriptedSocket, TURN_END } from "@postern/testkit";
import { ImapFlow } from "imapflow";
import {
  disableNamePrefix,
  dropUnreadableCodes,
  checkGreeting,
  keepRefusals,
  prefixOf,
} from "../src/wire/imapflow-internals.ts";
import { messageSummary, SUMMARY } from "../src/reading/message-summary.ts";
import { SearchAnswer } from "../src/visiting/SearchAnswer.ts";
import { transferDecoder } from "../src/reading/transfer-decoding.ts";
import { readFetchRow } from "../src/rows/fetch-row.ts";
import { fetchRows } from "../src/rows/fetch-rows.ts";
import { readListRow } from "../src/rows/list-row.ts";
import { collectStatus } from "../src/rows/collect-status.ts";
import { listedMailboxes } from "../src/selecting/listed-mailboxes.ts";
import { SelectedMailbox } from "../src/selecting/SelectedMailbox.ts";
import { boundResponses } from "../src/wire/bound-responses.ts";
import { readLongSearches } from "../src/wire/read-long-searches.ts";
import { readVanished } from "../src/wire/read-vanished.ts";
import { ResponseReader } from "../src/wire/ResponseReader.ts";

const LITERAL = /\{(\d{1,7})\+?\}\r?\n$/;

/** The response of a stream as imapflow passes it on: its lines joined, its literals separate. */
const responseOf = (input: Buffer) => {
  const text = input.toString("latin1");
  const literals: Array<Buffer> = [];
  let [payload, at] = ["", 0];
  for (;;) {
    const end = text.indexOf("\n", at) + 1;
    const line = text.slice(at, end === 0 ? undefined : end);
    payload += line;
    const length = LITERAL.exec(line)?.[1];
    if (end === 0 || length === undefined) break;
    literals.push(input.subarray(end, end + Number(length)));
    at = end + Number(length);
  }
  return { payload: Buffer.from(payload.replace(/\r?\n$/, ""), "latin1"), literals };
};

const FETCH = [
  '* 1 FETCH (UID 5 FLAGS (\\Seen $Junk) INTERNALDATE "17-Jul-1996 02:44:25 -0700" RFC822.SIZE 4286 ENVELOPE ("Wed, 17 Jul 1996 02:23:25 -0700 (PDT)" "IMAP4rev1 WG mtg summary" (("Terry Gray" NIL "gray" "cac.washington.edu")) NIL NIL ((NIL NIL "imap" "cac.washington.edu")) ((NIL NIL "minutes" "CNRI.Reston.VA.US") ("John Klensin" NIL "KLENSIN" "MIT.EDU")) NIL NIL "<B27397-0100000@cac.washington.edu>") BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "US-ASCII") NIL NIL "7BIT" 3028 92 NIL NIL NIL NIL))',
  '* 12 FETCH (BODY[HEADER.FIELDS (REFERENCES)] {28}\r\nReferences: <a@b> <c@d>\r\n\r\n BODYSTRUCTURE (("text" "plain" ("charset" "utf-8" "format" "flowed") "<1@x>" NIL "base64" 12 1 NIL ("inline" NIL) NIL NIL)("message" "rfc822" NIL NIL NIL "7bit" 342 ("d" "s" NIL NIL NIL NIL NIL NIL NIL "<m>") ("text" "plain" NIL NIL NIL "7bit" 5 1) 9 NIL NIL)("image" "png" ("name*0" "a" "name*1*" "utf-8\'\'%C3%BC.png") "<p>" NIL "base64" 1000 NIL ("attachment" ("filename" "=?utf-8?B?w7w=?=.png")) NIL NIL) "mixed" ("boundary" "b") NIL NIL) UID 99 THREADID (T1) EMAILID (M1) X-GM-THRID 1266894439832287888 MODSEQ (65402))',
  '* 3 FETCH (UID 5 RFC822.SIZE 9 ENVELOPE ({5}\r\nnever {7}\r\nGr\xc3\xbc\xc3\x9fe ((NIL NIL "a\\"b" "x.org")) NIL NIL (("=?iso-8859-1?Q?Zo=EB?=" NIL "z" "y.org")("undisclosed" NIL "list" NIL)(NIL NIL NIL NIL)) NIL NIL NIL "<1@x>"))',
  "* 4 FETCH (UID 7 BODY[1.2]<0> {3}\r\nabc BODY[HEADER] {4}\r\nA: b FLAGS ())",
];

const LIST = [
  '* LIST (\\HasNoChildren \\Sent) "/" "Sent Items"',
  '* LIST () "." INBOX.Entw&APw-rfe',
  "* LIST (\\Noselect) NIL {4}\r\nWork",
  '* STATUS "a \\"b\\\\" (MESSAGES 5 UNSEEN 2 UIDNEXT 9 UIDVALIDITY 1763723008 MAILBOXID (F1) SIZE 9 HIGHESTMODSEQ 7011231777)',
  "* STATUS INBOX (MESSAGES 0)",
];

const SEARCH = ["* SEARCH 2 3 6 (MODSEQ 917162500)", '* ESEARCH (TAG "A1") UID ALL 1:3,5,7:* MODSEQ 12', "* SEARCH"];

/** Reads an answer to a search that is long enough to be read in slices. */
const readSearch = async (input: Buffer): Promise<void> => {
  const client = {
    handleResponse: () => Promise.resolve(true),
    getUntaggedHandler: () => () => Promise.resolve(),
    streamer: { destroy: () => {} },
  };
  readLongSearches(client as unknown as ImapFlow);
  const at = Math.floor(input.length / 2);
  const payload = Buffer.concat([input.subarray(0, at), Buffer.from(" 12".repeat(25_000)), input.subarray(at)]);
  await client.handleResponse(...([{ payload, literals: [] }] as unknown as []));
};

/** Splits the input into responses, whole and in pieces. */
const split = (input: Buffer): void => {
  for (const size of [input.length, input.length > 4_096 ? 512 : 1]) {
    const limits = { line: 64 << 10, literal: 64 << 10, response: 128 << 10 };
    const reader = new ResponseReader(limits, () => TOO_LARGE);
    try {
      for (let at = 0; at < input.length; at += size) {
        reader.add(input.subarray(at, at + size));
        while (reader.next() !== undefined);
      }
    } catch (error) {
      if (error !== TOO_LARGE) throw error;
    }
  }
};

const TOO_LARGE = new Error("too large");

const CAPABILITIES = "IMAP4rev1 ID NAMESPACE LIST-STATUS LIST-EXTENDED SPECIAL-USE UIDPLUS ESEARCH MOVE";
const SELECTED =
  "* FLAGS (\\Seen)\r\n* 2 EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n* OK [UIDNEXT 9] n\r\n* OK [PERMANENTFLAGS (\\Seen \\*)] p\r\nTAG OK [READ-WRITE] in\r\n";

/** The server's side of a conversation: its greeting, then the answers to commands. */
const CONVERSATIONS = [
  [
    "* OK [CAPABILITY IMAP4rev1 ID] ready\r\n",
    'ID|* ID ("name" "x" "version" NIL)\r\nTAG OK\r\n',
    `LOGIN|TAG OK [CAPABILITY ${CAPABILITIES}] in\r\n`,
    `CAPABILITY|* CAPABILITY ${CAPABILITIES}\r\nTAG OK\r\n`,
    "ID|* ID NIL\r\nTAG OK\r\n",
    'NAMESPACE|* NAMESPACE (("INBOX." ".")) NIL (("#shared/" "/")("" NIL))\r\nTAG OK\r\n',
    'LIST|* LIST (\\HasChildren) "." INBOX\r\n* STATUS INBOX (MESSAGES 2 UIDNEXT 9 UIDVALIDITY 7 UNSEEN 1)\r\n* LIST (\\Sent) "." INBOX.Sent\r\nTAG OK\r\n',
    'LIST|* LIST () "." INBOX\r\nTAG OK\r\n',
    `SELECT|${SELECTED}`,
    'SEARCH|* ESEARCH (Tag "TAG") UID ALL 4,8\r\n* SEARCH 4 8\r\nTAG OK\r\n',
    `FETCH|${FETCH[0]}\r\n${FETCH[2]}\r\n* 2 FETCH (FLAGS (\\Seen))\r\n* VANISHED (EARLIER) 1:3\r\nTAG OK done\r\n`,
    "STATUS|* STATUS INBOX (MESSAGES 2 UNSEEN 1)\r\nTAG NO [LIMIT] later\r\n",
  ],
  [
    "* PREAUTH hello\r\n",
    "CAPABILITY|* CAPABILITY IMAP4rev1\r\nTAG OK\r\n",
    'LIST|* LIST (\\Noselect) "/" ""\r\nTAG OK\r\n',
    `LIST|${LIST.slice(0, 3).join("\r\n")}\r\nTAG OK\r\n`,
    "STATUS|* STATUS INBOX (MESSAGES 2)\r\nTAG OK\r\n",
    "STATUS|TAG NO\r\n",
    "STATUS|TAG OK\r\n",
    "LIST|TAG OK\r\n",
    `SELECT|${SELECTED}`,
    "SEARCH|* SEARCH 4 8\r\nTAG OK\r\n",
    `FETCH|${FETCH[1]}\r\n* BYE bye\r\nTAG BAD what\r\n`,
  ],
  [
    "* OK \r\n",
    "CAPABILITY|* CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR\r\nTAG OK\r\n",
    "AUTHENTICATE|+ \r\n",
    "2 OK [ALERT] in\r\n",
    "LIST|TAG OK\r\n",
  ],
].map((pieces) => pieces.join(TURN_END));

/** Signs in, lists, selects, searches and fetches, whatever the server answers. */
const converse = async (input: Buffer): Promise<void> => {
  const socket = scriptedSocket(input);
  const client = new ImapFlow({
    host: "127.0.0.1",
    port: 143,
    secure: false,
    doSTARTTLS: false,
    auth: { user: "jane", pass: "secret" },
    logger: false,
    disableAutoIdle: true,
    transport: {
      connect: (_: unknown, onConnect: () => void) => {
        setImmediate(onConnect);
        return socket;
      },
    } as never,
  });
  client.on("error", () => {});
  boundResponses(client, () => {});
  readLongSearches(client);
  readVanished(client);
  dropUnreadableCodes(client);
  checkGreeting(client);
  keepRefusals(client);
  const closed = new Promise<void>((resolve) => client.once("close", resolve));
  const work = async () => {
    await client.connect();
    disableNamePrefix(client);
    listedMailboxes(await client.list({ statusQuery: { messages: true, uidNext: true } }), new Map(), (path) =>
      prefixOf(client, path),
    );
    await client.mailboxOpen("INBOX");
    await client.search({ seen: false }, { uid: true });
    (await fetchRows(client, "1:*", SUMMARY, { uid: true }))?.map(messageSummary);
    await client.status("INBOX", { messages: true });
  };
  await Promise.race([work().catch(failIfOurs), closed]);
  client.close();
};

/** A fault of the server causes an error of imapflow; a fault of ours causes an error of the language. */
const failIfOurs = (error: unknown): void => {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
};

export const readers: ReadonlyArray<FuzzedReader> = [
  {
    name: "imap/fetch",
    corpus: FETCH,
    read: (input) => {
      const { payload, literals } = responseOf(input);
      const row = readFetchRow(payload, literals);
      return row && messageSummary(row);
    },
  },
  {
    name: "imap/list",
    corpus: LIST,
    read: (input) => {
      const { payload, literals } = responseOf(input);
      readListRow(payload, literals);
      collectStatus().take(payload, literals);
    },
  },
  { name: "imap/responses", corpus: FETCH.map((row) => `${row}\r\n* OK {3}\r\n`), read: split, weight: 5 },
  {
    name: "imap/selected",
    corpus: SELECTED.split("\r\n"),
    read: (input) => {
      const mailbox = new SelectedMailbox("INBOX");
      mailbox.take(input);
      mailbox.selected(input.toString("latin1"));
    },
  },
  { name: "imap/search", corpus: SEARCH, read: readSearch, weight: 20 },
  {
    name: "imap/search-answer",
    corpus: SEARCH,
    read: (input) => {
      for (const isNamed of [true, false]) {
        const answer = new SearchAnswer(isNamed);
        answer.take(input, 1_000_000);
        answer.uids();
      }
    },
  },
  {
    name: "imap/body",
    corpus: ["Gr=C3=BC=\r\n=DFe =3D  \r\n", "R3LDvMOfZQ==R3LDvA==\r\nR3Lv", "plain\r\n"],
    read: (input) => {
      for (const encoding of ["base64", "quoted-printable", "x"]) {
        const decoder = transferDecoder(encoding);
        const middle = input.length >> 1;
        for (const piece of [input.subarray(0, middle), input.subarray(middle)]) decoder.decode(piece);
        decoder.end();
      }
    },
  },
  { name: "imap/conversation", corpus: CONVERSATIONS, read: converse, weight: 50 },
];
