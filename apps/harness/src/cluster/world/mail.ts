import type { Script } from "../Script.ts";
import { ACCOUNTS } from "./accounts.ts";

/** Mail arrives, and other clients read, move and delete it. */
export const mailActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, mail, facts } = cluster;
  script.often(Math.ceil(script.minutes * 6), (number) => {
    const account = random.pick(ACCOUNTS)!;
    const messageId = `<arrival-${number}@far.test>`;
    const text = `Message-ID: ${messageId}\r\nFrom: friend@far.test\r\nTo: ${account}\r\nSubject: arrival ${number}\r\n\r\nhello\r\n`;
    mail.account(account).mailbox("INBOX").append(new TextEncoder().encode(text), timeline.now);
    facts.push({ _tag: "MailArrived", account, messageId, at: timeline.now });
  });
};
