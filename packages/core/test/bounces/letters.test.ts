import type { HeaderField } from "../../src/mail/index.ts";
import { recognise } from "../../src/bounces/index.ts";
import { expect, it } from "vitest";
import { part } from "./message.ts";

const RETURNED =
  "\n\nReceived: from x by y; date\nFrom: alice@sender.example\nTo: bob@example.com\nSubject: Quarterly figures\nMessage-ID: <m1@sender.example>\n";

/** Messages about failures, blocks and returns that are not reports about our messages. */
const LETTERS: ReadonlyArray<readonly [headers: ReadonlyArray<HeaderField>, text: string]> = [
  [
    [
      ["Return-Path", "<>"],
      ["From", "News <news@x.example>"],
      ["Subject", "Why messages are rejected"],
    ],
    "550 5.1.1 user unknown: bob@example.com does not exist. Read more.",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Bank <service@x.example>"],
      ["Subject", "Transfer returned"],
    ],
    "Your transfer to bob@example.com was rejected: account closed.",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Bob <bob@example.com>"],
      ["Subject", "Quarterly figures"],
      ["Auto-Submitted", "auto-generated"],
    ],
    "Bob is unavailable. The mailbox bob@example.com is not monitored, your message will not be read. Write to carol@example.com.",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Postmaster <postmaster@x.example>"],
      ["Subject", "Account disabled soon"],
    ],
    "Accounts inactive for a year are disabled. Contact dave@x.example.",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "MAILER-DAEMON@x.example"],
      ["Subject", "Bob's auto reply"],
    ],
    "I'm away. If your mail was returned as undeliverable write to carol@example.com",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Mail Delivery System <MAILER-DAEMON@x.example>"],
      ["Subject", "Quarterly figures"],
      ["Auto-Submitted", "auto-replied"],
    ],
    "Bob no longer works for us. His mailbox bob@example.com has been closed. Please use carol@example.com",
  ],
  [
    [
      ["Return-Path", "<bob@example.com>"],
      ["From", "Bob <bob@example.com>"],
      ["To", "alice@sender.example"],
      ["Subject", "Undeliverable: Quarterly figures"],
      ["Auto-Submitted", "auto-replied"],
    ],
    `My old mailbox failed permanently: 550 5.1.1 bob@example.com unknown. Please send it again to my new one.${RETURNED}`,
  ],
  [
    [
      ["Return-Path", "<friends-bounces+alice=sender.example@x.example>"],
      ["From", "Friends <friends@x.example>"],
      ["To", "alice@sender.example"],
      ["Subject", "Message rejected"],
    ],
    `Your message to bob@example.com was answered 550 5.7.1 not a member.${RETURNED}`,
  ],
  [
    [
      ["Return-Path", "<mail@x.example>"],
      ["From", "Mail Team <delivery@x.example>"],
      ["Subject", "Your delivery could not be completed"],
    ],
    "Driver could not deliver parcel to 5 Main St; address not found. Contact care@x.example",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Mail Gateway <postmaster@x.example>"],
      ["Subject", "Message held for review"],
    ],
    "Your message to bob@example.com is held for review by the administrator. No action is needed.",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Mail Gateway <postmaster@x.example>"],
      ["Subject", "Undeliverable messages report"],
    ],
    "Daily summary: 3 messages from carol@example.com quarantined.",
  ],
  [
    [
      ["Return-Path", "<bob@example.com>"],
      ["From", "bob@example.com"],
      ["Subject", "failure notice"],
      ["In-Reply-To", "<z@z.example>"],
    ],
    "what does this mean?\n\n<carol@example.com>: user unknown\n",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "List <list-request@x.example>"],
      ["Subject", "Your message to list awaits moderator approval"],
    ],
    "Your mail to 'list' with the subject Quarterly figures is being held until the moderator can review it. Post by non-member to a members-only list. list-owner@x.example",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "List <list-bounces@x.example>"],
      ["Subject", "Your post to list was rejected"],
    ],
    "Your message to list@x.example was rejected: You are not allowed to post. list-owner@x.example",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "postmaster@x.example"],
      ["Subject", "Mail delivery statistics"],
    ],
    "delivered 300, bounced 4, deferred 2. top: bob@example.com",
  ],
  [
    [
      ["Return-Path", "<x@x.example>"],
      ["From", "GitHub <noreply@x.example>"],
      ["Subject", "[repo] Delivery failure handling (#12)"],
    ],
    "When the SMTP server returns 550 we should mark bob@example.com as failed.\nReply to this email.",
  ],
  [
    [
      ["Return-Path", "<x@x.example>"],
      ["From", "Jane <jane@x.example>"],
      ["Subject", "Mail delivery problem"],
    ],
    "Hi, mails to bob@example.com bounce with\n550 5.1.1 unknown\nReceived: from a by b\nFrom: jane@x.example\nTo: bob@example.com\nMessage-ID: <1@x.example>\nSubject: hi\n",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Postmaster <postmaster@x.example>"],
      ["Subject", "Quota warning"],
    ],
    "Your mailbox is 95% full. You may not be able to receive messages. Contact it@sender.example.org.\n",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Mail Delivery System <mailer-daemon@x.example>"],
      ["Subject", "Message blocked"],
    ],
    "A message from carol@example.com to you was blocked because it contained a virus.\n",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "noreply@x.example"],
      ["Subject", "Your message was received"],
    ],
    "We got it. bob@example.com will answer.\n",
  ],
  [
    [
      ["Return-Path", "<bounce@x.example>"],
      ["From", "bounce@x.example"],
      ["Subject", "Monthly newsletter"],
    ],
    "Hello, read on about spam and blocked mail. Unsubscribe: stop@x.example\n",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "postmaster@x.example"],
      ["Subject", "Warning: possible virus in your message"],
    ],
    "The attachment of your message to bob@example.com was removed, the rest was delivered.\n",
  ],
  [
    [
      ["Return-Path", "<bob@example.com>"],
      ["From", "Bob <bob@example.com>"],
      ["Subject", "Delivery failed"],
    ],
    "Hi Alice, the courier could not deliver the parcel, reason: address unknown. Call me. bob@example.com\n",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Bob <bob@example.com>"],
      ["Subject", "Abwesend"],
    ],
    "Ich bin nicht da. carol@example.com hilft.\n",
  ],
  [
    [
      ["Return-Path", "<>"],
      ["From", "Bob's Filter <filter@x.example>"],
      ["Subject", "Your message could not be delivered"],
    ],
    "The recipient bob@example.com only accepts mail from people they know. Please click here to verify: https://x.example/y",
  ],
];

it.each(LETTERS)("finds no report in %j", (headers, text) => {
  expect(
    recognise({ headers: [...headers, ["To", "alice@sender.example.org"]], parts: [part("text/plain", text)] }).kind,
  ).toBe("none");
});
