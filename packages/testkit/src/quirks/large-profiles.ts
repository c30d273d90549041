import type { Profile } from "./Profile.ts";

/** Capabilities of Dovecot that few providers have. */
export const RARE_CAPABILITIES = [
  "NOTIFY",
  "PREVIEW",
  "PREVIEW=FUZZY",
  "SNIPPET=FUZZY",
  "SAVEDATE",
  "STATUS=SIZE",
  "URL-PARTIAL",
];

/** Sorting and threading commands, which servers without a search engine lack. */
const SORTING = ["SORT", "SORT=DISPLAY", "THREAD=REFERENCES", "THREAD=REFS", "THREAD=ORDEREDSUBJECT", "ESORT"];

export const LARGE_PROFILES: ReadonlyArray<Profile> = [
  {
    name: "gmail",
    server: "Gmail",
    quirks: [
      {
        kind: "removes",
        capabilities: ["QRESYNC", ...RARE_CAPABILITIES, ...SORTING],
        evidence: "Webklex/php-imap#219",
      },
      { kind: "adds", capabilities: ["X-GM-EXT-1", "APPENDLIMIT=35651584"], evidence: "Webklex/php-imap#219" },
      { kind: "labels", evidence: "postalsys/imapflow lib/commands/fetch.js, postalsys/emailengine#467" },
      {
        kind: "rewrites response",
        response: /^\* OK \[HIGHESTMODSEQ (\d+)\].*\r\n$/,
        to: "* OK [HIGHESTMODSEQ $1]\r\n",
        evidence: "modern-email/defects#28",
      },
    ],
  },
  {
    name: "outlook",
    server: "Outlook.com and Microsoft 365",
    degrades: {
      MailboxTree: { because: "roles by localized names, because the server marks no special folders" },
      InboxWatch: {
        because:
          "a changed flag that the server does not announce is found within minutes, because it has no CONDSTORE",
      },
    },
    quirks: [
      {
        kind: "removes",
        capabilities: [
          ...RARE_CAPABILITIES,
          ...SORTING,
          "CONDSTORE",
          "QRESYNC",
          "ENABLE",
          "ESEARCH",
          "SEARCHRES",
          "SPECIAL-USE",
          "LIST-EXTENDED",
          "LIST-STATUS",
          "UNSELECT",
          "MULTIAPPEND",
          "CATENATE",
          "BINARY",
          "WITHIN",
          "CONTEXT=SEARCH",
          "I18NLEVEL=1",
          "CHILDREN",
        ],
        evidence: "jstedfast/MailKit#1446",
      },
      {
        kind: "rewrites response",
        response:
          /(?<=^\* \d+ FETCH \(.*)BODYSTRUCTURE \("text" "html" \("[^)]*\).*?"8bit" (\d+) (\d+) NIL NIL NIL NIL\)/i,
        to: "BODYSTRUCTURE NIL",
        evidence: "jstedfast/MailKit#1415, jstedfast/MailKit#919",
      },
    ],
  },
  {
    name: "icloud",
    server: "iCloud Mail",
    quirks: [
      { kind: "removes", capabilities: [...RARE_CAPABILITIES, ...SORTING], evidence: "Foundry376/Mailspring-Sync#91" },
      {
        kind: "rewrites response",
        response: /^\* ENABLED.*\r\n$/i,
        to: "",
        evidence: "nextcloud/mail#9454, horde/Imap_Client#17",
      },
      {
        kind: "rewrites command",
        command: /(?<=^\S+ (?:UID )?SEARCH )RETURN \([^)]*\) /i,
        to: "",
        evidence: "horde/Imap_Client#17",
      },
      {
        kind: "refuses",
        command: /BINARY\.SIZE/i,
        answer: "BAD Parse Error",
        evidence: "horde/Imap_Client#17",
      },
    ],
  },
  {
    name: "yahoo",
    server: "Yahoo Mail and AOL Mail",
    degrades: {
      MessageSearch: {
        because: "conversations among the newest 500 messages of a folder, because SEARCH HEADER is refused",
      },
      MailboxReader: { because: "only the newest messages of a folder exist, as many as MESSAGELIMIT says" },
    },
    quirks: [
      {
        kind: "removes",
        capabilities: ["QRESYNC", ...RARE_CAPABILITIES, ...SORTING, "LIST-EXTENDED", "CATENATE", "MULTIAPPEND"],
        evidence: "djc/imap-proto#198",
      },
      { kind: "adds", capabilities: ["MESSAGELIMIT=1000", "UIDONLY"], evidence: "djc/imap-proto#198, RFC 9738" },
      {
        kind: "refuses",
        command: /\bSEARCH\b.*\bHEADER\b/i,
        answer: "NO [SERVERBUG] UID SEARCH Server error - Please try again later",
        evidence: "mscdex/node-imap#737",
      },
    ],
  },
  {
    name: "163",
    server: "NetEase Mail: 163, 126 and yeah.net",
    degrades: {
      MailboxTree: { because: "a folder that another program renames gets a new id, because STATUS lacks UIDNEXT" },
      InboxWatch: { because: "arrivals within 20 seconds, because the server has no IDLE" },
    },
    quirks: [
      {
        kind: "removes",
        capabilities: [
          ...RARE_CAPABILITIES,
          ...SORTING,
          "CONDSTORE",
          "QRESYNC",
          "ENABLE",
          "IDLE",
          "ESEARCH",
          "SEARCHRES",
          "LIST-EXTENDED",
          "LIST-STATUS",
        ],
        evidence: "modern-email/defects#15, pimalaya/himalaya#549",
      },
      {
        kind: "rewrites response",
        response: /(?<=^\* STATUS .*) ?UIDNEXT \d+(?=[ )])/i,
        to: "",
        evidence: "modern-email/defects#25",
      },
    ],
  },
  {
    name: "cyrus-after-upgrade",
    server: "Cyrus whose modification sequences were lost in an upgrade",
    quirks: [
      {
        kind: "inserts",
        command: /\bFETCH\b.*CHANGEDSINCE \d+ VANISHED/i,
        lines: "* VANISHED (EARLIER) 1:26183\r\n",
        evidence: "nextcloud/mail#11908, nextcloud/mail#10124",
      },
    ],
  },
];
