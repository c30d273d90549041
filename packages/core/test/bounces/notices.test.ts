import type { ParsedMessage } from "../../src/mail/index.ts";
import { isCandidate, recognise } from "../../src/bounces/index.ts";
import { expect, it } from "vitest";
import { part } from "./message.ts";

const returned =
  "\n\nReturn-Path: <alice@sender.example.org>\nReceived: from x by y; date\nFrom: alice@sender.example.org\nTo: bob@example.com\nSubject: Quarterly figures\nMessage-ID: <m1@sender.example.org>\n\nhello";

/** From, Subject, text, Return-Path and the expected result. */
const NOTICES: ReadonlyArray<
  readonly [from: string, subject: string, text: string, returnPath: string, outcome: string]
> = [
  [
    "postmaster@x.example",
    "Delivery Status Notification (Failure)",
    "This is an automatically generated Delivery Status Notification.\n\nDelivery to the following recipients failed.\n\n       bob@example.com\n",
    "<>",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "Postmaster <postmaster@x.example>",
    "Undeliverable mail",
    "Your message did not reach some or all of the intended recipients.\n\n      Subject:\tQuarterly figures\n      Sent:\t3/12/2026 9:30 AM\n\nThe following recipient(s) could not be reached:\n\n      bob@example.com on 3/12/2026 9:31 AM\n            There was a SMTP communication problem with the recipient's email server.  Please contact your system administrator.\n            <mail.x.example #5.5.0 smtp;550 unknown user>\n",
    "<>",
    "bounce bob@example.com 5.5.0",
  ],
  [
    "MAILER-DAEMON@x.example",
    "failure delivery",
    "Message from  yahoo.com.\nUnable to deliver message to the following address(es).\n\n<bob@example.com>:\n203.0.113.5 failed after I sent the message.\nRemote host said: 554 delivery error: dd Sorry your message to bob@example.com cannot be delivered. This account has been disabled or discontinued [#102].\n" +
      returned,
    "<>",
    "bounce bob@example.com 5.2.1",
  ],
  [
    "Mail Delivery Subsystem <mailer-daemon@x.example>",
    "Delivery Notification: Delivery has failed",
    "Your message cannot be delivered to the following recipients:\n\n  Recipient address: bob@example.com\n  Reason: Illegal host/domain name found\n",
    "<>",
    "bounce bob@example.com 5.1.2",
  ],
  [
    "Automatic Email Delivery Software <auto@x.example>",
    "Mail delivery failed",
    "Could not deliver message to the following recipient(s):\n\nFailed Recipient: bob@example.com\nReason: Remote host said: 550 Requested action not taken: mailbox unavailable or not local\n\n   -- The header and top 20 lines of the message follows --\n" +
      returned,
    "<>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "System Administrator <sa@x.example>",
    "Delivery Failure",
    "Could not deliver message to the following recipient(s):\n\nFailed Recipient: bob@example.com\nReason: Remote host said: 550 5.1.1 The email account that you tried to reach does not exist.\n" +
      returned,
    "<sa@x.example>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "postmaster@x.example",
    "Mail delivery failed",
    "MESSAGE NOT DELIVERED\n=====================\nTo: bob@example.com\nReason: No such user\n",
    "<>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "MAILER-DAEMON@x.example",
    "Mail could not be delivered",
    "Failed to deliver to '<bob@example.com>'\nmailbox full\n",
    "<>",
    "bounce bob@example.com 5.2.2",
  ],
  [
    "mailer@x.example",
    "Returned mail: Data format error",
    "The following addresses had errors: bob@example.com\n554 5.6.0 Data format error" + returned,
    "<>",
    "bounce bob@example.com 5.6.0",
  ],
  [
    "Postmaster@x.example",
    "DELAYED: Quarterly figures",
    "Your message has been delayed.\n\nRecipient: bob@example.com\nWe will keep trying for 3 days.\n",
    "<>",
    "delay bob@example.com 4.0.0",
  ],
  [
    "Mail Delivery System <Mailer-Daemon@x.example>",
    "Warning: message 1abc delayed 48 hours",
    "This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 48 hours on the queue on x.example.\n\nThe address to which the message has not yet been delivered is:\n\n  bob@example.com\n    host mx.example.com [1.2.3.4]: 451 greylisted\n\nNo action is required on your part.\n",
    "<>",
    "delay bob@example.com 4.7.1",
  ],
  [
    "postmaster@x.example",
    "NDN: Quarterly figures",
    "Sorry. Your message could not be delivered to:\n\nbob,example (The name was not found at the remote site. Check that the\nname has been entered correctly.)\n" +
      returned,
    "<>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "Mail Administrator <postmaster@x.example>",
    "Mail System Error - Returned Mail",
    "This Message was undeliverable due to the following reason:\n\nYour message was not delivered because the return address was refused.\n\nThe return address was '<alice@sender.example.org>'\n\nPlease reply to <postmaster@x.example>\nif you feel this message to be in error.\n" +
      returned,
    "<>",
    "bounce bob@example.com 5.1.8",
  ],
  [
    "MAILER-DAEMON@x.example",
    "Returned mail: User unknown",
    "   ----- Transcript of session follows -----\n550 bob@example.com... User unknown\n\n   ----- Unsent message follows -----" +
      returned,
    "<>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "Mail Delivery Service <mailer@x.example>",
    "Delivery failure (bob@example.com)",
    "Your message has encountered delivery problems\nto local user bob@example.com.\n(Originally addressed to bob@example.com)\n\nYour message reads (in part):\n" +
      returned,
    "<>",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "Postmaster <postmaster@x.example>",
    "Returned mail: see transcript",
    "Your message was not delivered to\n  bob@example.com\nfor the following reason:\n    Diagnostic was Unable to transfer, Message timed out\n    Information Message timed out\n",
    "<>",
    "bounce bob@example.com 4.4.1",
  ],
  [
    "MAILER-DAEMON@x.example",
    "**Message you sent blocked by our bulk email filter**",
    "Your message to: bob@example.com\nwas blocked by our Spam Firewall. The email you sent with the following subject has NOT BEEN DELIVERED:\n\nSubject: Quarterly figures\n",
    "<>",
    "bounce bob@example.com 5.7.1",
  ],
  [
    "Mail Delivery System <MAILER-DAEMON@x.example>",
    "Nachricht unzustellbar",
    "Die folgende Nachricht konnte nicht zugestellt werden an: bob@example.com. Grund: Empfänger existiert nicht.\n",
    "<>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "Delivery <delivery@x.example>",
    "Your email to bob@example.com was not delivered",
    "Mailbox bob@example.com does not exist.\n",
    "<>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "postmaster@x.example",
    "Undeliverable: Quarterly figures",
    "Delivery has failed to these recipients or groups:\n\nBob Example (bob@example.com)<mailto:bob@example.com>\nThe e-mail address you entered couldn't be found. Please check the recipient's e-mail address and try to resend the message. If the problem continues, please contact your helpdesk.\n\nDiagnostic information for administrators:\n\nGenerating server: x.example\n\nbob@example.com\n#< #5.1.1 smtp;550 5.1.1 RESOLVER.ADR.RecipNotFound; not found> #SMTP#\n\nOriginal message headers:\n" +
      returned,
    "<>",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "no-reply@x.example",
    "Mail delivery failed: returning message to sender",
    "This message was created automatically by mail delivery software.\n\nThe following address(es) failed:\n\n  bob@example.com\n    (ultimately generated from list@example.com)\n    mailbox is full\n\n------ This is a copy of the message, including all the headers. ------\n" +
      returned,
    "<no-reply@x.example>",
    "bounce bob@example.com 5.2.2",
  ],
];

it.each(NOTICES)("reads a notice from %s: %s", (from, subject, text, returnPath, outcome) => {
  const message: ParsedMessage = {
    headers: [
      ["Return-Path", returnPath],
      ["From", from],
      ["To", "alice@sender.example.org"],
      ["Subject", subject],
    ],
    parts: [part("text/plain", text)],
  };
  const report = recognise(message);
  if (report.kind === "none" || report.kind === "complaint") throw new Error(report.kind);
  expect(`${report.kind} ${report.recipients.map((one) => `${one.address} ${one.status}`).join(" ")}`).toBe(outcome);
  expect(isCandidate(message.headers)).toBe(true);
});
