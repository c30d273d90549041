import type { Family } from "./Family.ts";

/** Software that anybody runs, told by what it writes. */
export const MTA_FAMILIES: ReadonlyArray<Family> = [
  {
    name: "domino",
    told: { header: ["X-MIMETrack", /./] },
    example: "X-MIMETrack: Itemize by SMTP Server on example/Example(Release 8.5)",
  },
  { name: "domino", told: { header: ["X-Mailer", /lotus|domino/i] }, example: "X-Mailer: Lotus Domino Release 9.0.1" },
  {
    name: "domino",
    told: { text: /domino directory|failure reasons -{2}|was not delivered to:/ },
    example: "User bob (bob@example.com) not listed in Domino Directory",
  },
  {
    name: "groupwise",
    told: { header: ["X-Mailer", /groupwise/i] },
    example: "X-Mailer: Novell GroupWise Internet Agent 8.0",
  },
  {
    name: "groupwise",
    told: { text: /groupwise|gwia/ },
    example: "The message that you sent was undeliverable to the following: bob (user not found) GroupWise",
  },
  {
    name: "mdaemon",
    told: { header: ["X-MDaemon-Deliver-To", /./] },
    example: "X-MDaemon-Deliver-To: alice@example.org",
  },
  { name: "mdaemon", told: { from: /mdaemon@/i }, example: "From: MDaemon@example.com" },
  { name: "mailenable", told: { text: /mailenable/ }, example: "MailEnable: Message Delivery Failure." },
  {
    name: "imail",
    told: { header: ["X-Mailer", /<?smtp32 v/i] },
    recipient: {
      line: /^(?:user mailbox exceeds|unknown user|user unknown|undeliverable to|unknown host|invalid final|delivery failed)[^:@]{0,60}:\s?/i,
      example: "User unknown: bob@example.com",
    },
    example: "X-Mailer: <SMTP32 v8.22>",
  },
  { name: "communigate", told: { header: ["X-Mailer", /communigate/i] }, example: "X-Mailer: CommuniGate Pro" },
  { name: "courier", told: { header: ["X-Mailer", /courier/i] }, example: "X-Mailer: courier" },
  {
    name: "courier",
    told: {
      text: /undeliverable mail\b.{0,200}your message to the following recipients cannot be delivered|courier mail server/,
    },
    example: "UNDELIVERABLE MAIL — Your message to the following recipients cannot be delivered:",
  },
  {
    name: "opensmtpd",
    told: { text: /this is the mailer-daemon, please do not reply/ },
    example: "This is the MAILER-DAEMON, please DO NOT REPLY to this email.",
  },
  {
    name: "qmail",
    told: { text: /this is the qmail-send program|i'm afraid i wasn't able to deliver your message/ },
    recipient: { line: /^(?=<\S{0,128}@\S{1,128}>:$)/, example: "<bob@example.com>:" },
    example: "Hi. This is the qmail-send program at example.com.",
  },
  { name: "exim", told: { header: ["X-Failed-Recipients", /./] }, example: "X-Failed-Recipients: bob@example.com" },
  {
    name: "exim",
    told: { text: /created automatically by mail delivery software/ },
    example: "This message was created automatically by mail delivery software.",
  },
  {
    name: "postfix",
    told: { text: /this is the (?:postfix|mail system) (?:program )?at host/ },
    example: "This is the mail system at host mx.example.com.",
  },
  { name: "postfix", told: { status: /x-postfix/i }, example: "X-Postfix-Queue-ID: 4D5A3" },
  {
    name: "sendmail",
    told: { text: /transcript of session follows|the following addresses had|the original message was received at/ },
    recipient: {
      line: /^(?:\d{3}\s(?:\d\.\d{1,3}\.\d{1,3}\s)?)(?=<?\S{1,128}@\S{1,128}>?\.\.\.)/,
      example: "550 5.1.1 <bob@example.com>... User unknown",
    },
    example: "   ----- Transcript of session follows -----",
  },
  {
    name: "mailmarshal",
    told: { header: ["X-Mailer", /mailmarshal/i] },
    recipient: { line: /^recipient:\s?/i, example: "Recipient: bob@example.com" },
    example: "X-Mailer: MailMarshal",
  },
  {
    name: "interscan",
    told: { text: /interscan|trend ?micro/ },
    recipient: { line: /unable to deliver message to\s?/i, example: "Unable to deliver message to <bob@example.com>" },
    example: "X: InterScan Messaging Security",
  },
  {
    name: "surfcontrol",
    told: { header: ["X-Mailer", /surfcontrol/i] },
    example: "X-Mailer: SurfControl E-mail Filter",
  },
  {
    name: "mailfoundry",
    told: { text: /unable to deliver message to:/ },
    recipient: {
      line: /unable to deliver message to:\s?/i,
      example: "Unable to deliver message to: <bob@example.com>",
    },
    example: "Unable to deliver message to: <bob@example.com>",
  },
];
