import type { ParsedMessage } from "../../src/mail/index.ts";
import { isCandidate, recognise } from "../../src/bounces/index.ts";
import { expect, it } from "vitest";
import { part } from "./message.ts";

const returned =
  "Received: from a by b\nFrom: alice@sender.example.org\nTo: bob@example.com\nSubject: x\nMessage-ID: <m1@s.example>\n\nhi";

/** From, Subject, text and the expected result. */
const NOTICES: ReadonlyArray<readonly [from: string, subject: string, text: string, outcome: string]> = [
  [
    "mailer-daemon@x.example",
    "Mail delivery failed",
    "Es tut uns leid, aber Ihre E-Mail an <bob@example.com> konnte nicht zugestellt werden. Fehlermeldung des empfangenden Servers:\n\n550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.x.example/\n",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "postmaster@x.example",
    "Benachrichtigung zum Übermittlungsstatus (Fehlgeschlagen)",
    "Dies ist eine automatisch erstellte Benachrichtigung über den Zustellstatus.\n\nÜbermittlung an folgende Empfänger fehlgeschlagen.\n\n       bob@example.com\n",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "postmaster@x.example",
    "Avis de l'état de remise (échec)",
    "Ceci est un message automatique d'état de remise.\n\nLa remise aux destinataires suivants a échoué.\n\n       bob@example.com\n",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "postmaster@x.example",
    "Notificación del estado de entrega (error)",
    "Ésta es una notificación del estado de entrega generada automáticamente.\n\nError en la entrega a los siguientes destinatarios.\n\n       bob@example.com\n",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "postmaster@x.example",
    "Notificação de estado da entrega (Falha)",
    "Esta é uma notificação gerada automaticamente sobre o estado da entrega.\n\nFalha na entrega para os seguintes destinatários.\n\n       bob@example.com\n",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "postmaster@x.example",
    "配信状態通知 (失敗)",
    "このメールは自動的に生成された配信状態通知です。\n\n以下の受信者への配信に失敗しました。\n\n       bob@example.com\n",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "postmaster@x.example",
    "传递状态通知(失败)",
    "这是自动生成的传递状态通知。\n\n未能传递到下列收件人。\n\n       bob@example.com\n",
    "bounce bob@example.com 5.0.0",
  ],
  [
    "postmaster@x.example",
    "Delivery Status Notification (Delay)",
    "This is an automatically generated Delivery Status Notification.\n\nTHIS IS A WARNING MESSAGE ONLY.\n\nYOU DO NOT NEED TO RESEND YOUR MESSAGE.\n\nDelivery to the following recipients has been delayed.\n\n       bob@example.com\n",
    "delay bob@example.com 4.0.0",
  ],
  [
    "MAILER-DAEMON@x.example",
    "Nondeliverable mail",
    "--------Message not delivered to the following:\n\n    bob@example.com\n\n--------Error Detail (phquery V4.4):\n\nThe user is no longer here.\n\n--------Unsent Message below:\n\n" +
      returned,
    "bounce bob@example.com 5.1.1",
  ],
  [
    "PMDF e-Mail Interconnect <postmaster@x.example>",
    "Undeliverable mail",
    "The message could not be delivered to:\n\nAddressee: bob@example.com\nReason: %MAIL-E-NOSUCHUSR, no such user bob\n" +
      returned,
    "bounce bob@example.com 5.1.1",
  ],
  [
    "Mail Delivery <delivery@x.example>",
    "Email delivery error",
    "Your message to bob@example.com could not be delivered.\nReason: Domain example.com does not exist.",
    "bounce bob@example.com 5.1.2",
  ],
  [
    "mailer-daemon@x.example",
    "Returned mail: unreachable recipients",
    "The message you sent was not delivered to the following recipients:\n\n* bob@example.com: Recipient mailbox quota exceeded\n* carol@example.com: Recipient unknown\n",
    "bounce bob@example.com 5.2.2 carol@example.com 5.1.1",
  ],
  [
    "MAILER-DAEMON@x.example",
    "Delivery reports about your e-mail",
    "The following addresses had delivery errors---\nbob@example.com|550 mailbox unavailable",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "System Administrator <postmaster@x.example>",
    "Onbestelbaar: Quarterly",
    "Uw bericht heeft sommige of alle geadresseerden niet bereikt.\n\nDe volgende geadresseerde(n) kunnen niet worden bereikt:\n\n      bob@example.com op 12-3-2026 9:31\n            Het e-mailaccount bestaat niet bij de organisatie waarnaar dit bericht is verzonden.\n            <x.example #5.1.1>\n",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "MAILER-DAEMON@x.example",
    "Письмо не доставлено",
    "Ваше сообщение для bob@ru.example не доставлено: ящик получателя переполнен.",
    "bounce bob@ru.example 5.2.2",
  ],
  [
    "Yahoo! Mail <MAILER-DAEMON@yahoo.example>",
    "Delivery failure",
    "Message from yahoo.example.\nUnable to deliver message to the following address(es).\n\n<bob@example.com>:\nSorry, I couldn't find any host by that name. (#4.1.2)\nI'm not going to try again; this message has been in the queue too long.\n\n--- Original message follows.\n\n" +
      returned,
    "bounce bob@example.com 4.1.2",
  ],
  [
    "Mail System <postmaster@x.example>",
    "Undelivered Mail",
    "Your mail (attached) was not delivered.\n\nThe address bob@example.com is not in our directory of valid users.",
    "bounce bob@example.com 5.1.1",
  ],
  [
    "mailman@x.example",
    "Undeliverable: hello",
    "<bob@example.com>: SMTP 550: spam detected",
    "bounce bob@example.com 5.7.1",
  ],
  [
    "Mail Delivery System <noreply@x.example>",
    "Message could not be delivered",
    "We could not deliver your message to one recipient after 3 attempts over 48 hours.\n\nRecipient: Bob <bob@example.com>\nLast error: connection timed out\n",
    "bounce bob@example.com 4.4.7",
  ],
  [
    "Postmaster <postmaster@x.example>",
    "Wiadomość niedoręczona",
    "Nie można było dostarczyć wiadomości do bob@pl.example: konto zostało zablokowane.",
    "bounce bob@pl.example 5.2.1",
  ],
  [
    "MAILER-DAEMON@x.example",
    "Unzustellbar",
    "Wir konnten Ihre Nachricht nicht zustellen.\n\nEmpfänger: bob@example.com\nGrund: Relay-Zugriff verweigert\n",
    "bounce bob@example.com 5.7.1",
  ],
  [
    "MAILER-DAEMON@x.example",
    "Mail Delivery Failure",
    "The user does not exist at this host\n" + returned,
    "bounce bob@example.com 5.1.1",
  ],
];

it.each(NOTICES)("reads a notice from %s: %s", (from, subject, text, outcome) => {
  const message: ParsedMessage = {
    headers: [
      ["Return-Path", "<>"],
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
