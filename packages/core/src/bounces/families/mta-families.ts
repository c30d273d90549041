import type { Family } from "./Family.ts";

/** MTA software, recognised by its notices. */
export const MTA_FAMILIES: ReadonlyArray<Family> = [
  {
    name: "domino",
    recognisedBy: { header: ["X-MIMETrack", /./] },
    example: "X-MIMETrack: Itemize by SMTP Server on example/Example(Release 8.5)",
  },
  {
    name: "domino",
    recognisedBy: { header: ["X-Mailer", /lotus|domino/i] },
    example: "X-Mailer: Lotus Domino Release 9.0.1",
  },
  {
    name: "domino",
    recognisedBy: { text: /domino directory|failure reasons -{2}|was not delivered to:/ },
    example: "User bob (bob@example.com) not listed in Domino Directory",
  },
  {
    name: "groupwise",
    recognisedBy: { header: ["X-Mailer", /groupwise/i] },
    example: "X-Mailer: Novell GroupWise Internet Agent 8.0",
  },
  {
    name: "groupwise",
    recognisedBy: { text: /groupwise|gwia/ },
    example: "The message that you sent was undeliverable to the following: bob (user not found) GroupWise",
  },
  {
    name: "mdaemon",
    recognisedBy: { header: ["X-MDaemon-Deliver-To", /./] },
    example: "X-MDaemon-Deliver-To: alice@example.org",
  },
  { name: "mdaemon", recognisedBy: { from: /mdaemon@/i }, example: "From: MDaemon@example.com" },
  { name: "mailenable", recognisedBy: { text: /mailenable/ }, example: "MailEnable: Message Delivery Failure." },
  {
    name: "imail",
    recognisedBy: { header: ["X-Mailer", /<?smtp32 v/i] },
    recipient: {
      line: /^(?:user mailbox exceeds|unknown user|user unknown|undeliverable to|unknown host|invalid final|delivery failed)[^:@]{0,60}:\s?/i,
      example: "User unknown: bob@example.com",
    },
    example: "X-Mailer: <SMTP32 v8.22>",
  },
  { name: "communigate", recognisedBy: { header: ["X-Mailer", /communigate/i] }, example: "X-Mailer: CommuniGate Pro" },
  { name: "courier", recognisedBy: { header: ["X-Mailer", /courier/i] }, example: "X-Mailer: courier" },
  {
    name: "courier",
    recognisedBy: {
      text: /undeliverable mail\b.{0,200}your message to the following recipients cannot be delivered|courier mail server/,
    },
    example: "UNDELIVERABLE MAIL — Your message to the following recipients cannot be delivered:",
  },
  {
    name: "opensmtpd",
    recognisedBy: { text: /this is the mailer-daemon, please do not reply/ },
    example: "This is the MAILER-DAEMON, please DO NOT REPLY to this email.",
  },
  {
    name: "qmail",
    recognisedBy: { text: /this is the qmail-send program|i'm afraid i wasn't able to deliver your message/ },
    recipient: { line: /^(?=<\S{0,128}@\S{1,128}>:$)/, example: "<bob@example.com>:" },
    example: "Hi. This is the qmail-send program at example.com.",
  },
  {
    name: "exim",
    recognisedBy: { header: ["X-Failed-Recipients", /./] },
    example: "X-Failed-Recipients: bob@example.com",
  },
  {
    name: "exim",
    recognisedBy: { text: /created automatically by mail delivery software/ },
    example: "This message was created automatically by mail delivery software.",
  },
  {
    name: "postfix",
    recognisedBy: { text: /this is the (?:postfix|mail system) (?:program )?at host/ },
    example: "This is the mail system at host mx.example.com.",
  },
  { name: "postfix", recognisedBy: { status: /x-postfix/i }, example: "X-Postfix-Queue-ID: 4D5A3" },
  {
    name: "sendmail",
    recognisedBy: {
      text: /transcript of session follows|the following addresses had|the original message was received at/,
    },
    recipient: {
      line: /^(?:\d{3}\s(?:\d\.\d{1,3}\.\d{1,3}\s)?)(?=<?\S{1,128}@\S{1,128}>?\.\.\.)/,
      example: "550 5.1.1 <bob@example.com>... User unknown",
    },
    example: "   ----- Transcript of session follows -----",
  },
  {
    name: "mailmarshal",
    recognisedBy: { header: ["X-Mailer", /mailmarshal/i] },
    recipient: { line: /^recipient:\s?/i, example: "Recipient: bob@example.com" },
    example: "X-Mailer: MailMarshal",
  },
  {
    name: "interscan",
    recognisedBy: { text: /interscan|trend ?micro/ },
    recipient: { line: /unable to deliver message to\s?/i, example: "Unable to deliver message to <bob@example.com>" },
    example: "X: InterScan Messaging Security",
  },
  {
    name: "surfcontrol",
    recognisedBy: { header: ["X-Mailer", /surfcontrol/i] },
    example: "X-Mailer: SurfControl E-mail Filter",
  },
  {
    name: "mailfoundry",
    recognisedBy: { text: /unable to deliver message to:/ },
    recipient: {
      line: /unable to deliver message to:\s?/i,
      example: "Unable to deliver message to: <bob@example.com>",
    },
    example: "Unable to deliver message to: <bob@example.com>",
  },
];
