import { RARE_CAPABILITIES } from "./large-profiles.ts";
import type { Profile } from "./Profile.ts";

export const OTHER_PROFILES: ReadonlyArray<Profile> = [
  {
    name: "exmail",
    server: "Tencent Exmail",
    quirks: [
      {
        kind: "removes",
        capabilities: [...RARE_CAPABILITIES, "QRESYNC", "CONDSTORE", "ENABLE", "ESEARCH"],
        evidence: "modern-email/defects#40",
      },
      {
        kind: "refuses",
        // The expression matches a set of two numbers, the second lower than the first.
        command: /^\S+ UID (?:FETCH|STORE|MOVE|COPY|EXPUNGE) (?:9\d*|[2-9]),[1]\b/i,
        answer: "BAD invalid UID set",
        evidence: "modern-email/defects#40, pimalaya/himalaya#518",
      },
    ],
  },
  {
    name: "lark",
    server: "Lark Mail",
    degrades: {
      MailboxReader: {
        because: "no sender in listings, because ENVELOPE lacks addresses",
        tests: /every field of a summary|: a quoted name|: an encoded name|: an address alone/,
      },
      InboxWatch: { because: "no sender in events, for the same reason", tests: /^polls all messages/ },
    },
    quirks: [
      {
        kind: "removes",
        capabilities: [...RARE_CAPABILITIES, "QRESYNC", "CONDSTORE", "ENABLE"],
        evidence: "postalsys/emailengine lib/mailbox.js",
      },
      {
        kind: "rewrites response",
        response:
          /(ENVELOPE \((?:"[^"]*"|NIL) (?:"(?:[^"\\]|\\.)*"|NIL) )(?:\(\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)\)|NIL) (?:\(\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)\)|NIL) (?:\(\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)\)|NIL) /i,
        to: "$1NIL NIL NIL ",
        evidence: "postalsys/emailengine lib/mailbox.js",
      },
    ],
  },
  {
    name: "proton-bridge",
    server: "Proton Mail Bridge, its capabilities alone",
    quirks: [
      {
        kind: "removes",
        capabilities: [
          ...RARE_CAPABILITIES,
          "QRESYNC",
          "CONDSTORE",
          "ENABLE",
          "ESEARCH",
          "SEARCHRES",
          "NAMESPACE",
          "LIST-EXTENDED",
          "LIST-STATUS",
        ],
        evidence: "ProtonMail/proton-bridge#123",
      },
    ],
  },
  {
    name: "winmail",
    server: "Winmail Server",
    quirks: [
      {
        kind: "removes",
        capabilities: [
          ...RARE_CAPABILITIES,
          "QRESYNC",
          "CONDSTORE",
          "ENABLE",
          "ESEARCH",
          "LIST-EXTENDED",
          "LIST-STATUS",
          "MOVE",
        ],
        evidence: "modern-email/defects#43",
      },
      {
        kind: "rewrites response",
        response: /^\* OK \[UIDNEXT \d+\].*\r\n$/i,
        to: "",
        evidence: "modern-email/defects#43",
      },
    ],
  },
  {
    name: "cyrus-murder",
    server: "Cyrus behind a murder frontend",
    quirks: [
      {
        kind: "refuses",
        command: /\bUID FETCH\b.*\bVANISHED\b/i,
        answer: "BAD Invalid UID Fetch modifier VANISHED",
        evidence: "cyrusimap/cyrus-imapd#4787",
      },
    ],
  },
  {
    name: "stalwart",
    server: "Stalwart, its capabilities alone",
    quirks: [
      { kind: "removes", capabilities: ["NOTIFY", "SAVEDATE", "SNIPPET=FUZZY"], evidence: "stalwartlabs/stalwart#234" },
      { kind: "adds", capabilities: ["UNAUTHENTICATE"], evidence: "stalwartlabs/stalwart#234" },
    ],
  },
];
