import type { Script } from "../Script.ts";
import { textOf, USERS } from "./accounts.ts";

/** Adds acts in which mail arrives, other clients flag and delete it, and the server is restored from a backup. */
export const mailActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, mail, facts, trace } = cluster;

  script.often(Math.ceil(script.minutes * 5), (number) => {
    const account = random.pick(USERS)!;
    const messageId = `<arrival-${number}@far.test>`;
    trace.say(() => `${messageId} arrives for ${account}`);
    mail.account(account).mailbox("INBOX").append(textOf(messageId, account), timeline.now);
    facts.push({ _tag: "MailArrived", account, messageId, at: timeline.now });
  });

  script.often(Math.ceil(script.minutes * 2), () => {
    const account = random.pick(USERS)!;
    const inbox = mail.account(account).mailbox("INBOX");
    // A message that a user moved stays in some folder.
    const message = random.pick(inbox.messages.filter(({ summary }) => !summary.messageId!.startsWith("<filed-")));
    if (message === undefined) return;
    const { messageId } = message.summary;
    if (random.chance(0.6)) return void (message.flags = random.chance(0.5) ? ["\\Seen"] : ["\\Seen", "\\Flagged"]);
    trace.say(() => `another client deletes ${messageId} of ${account}`);
    facts.push({ _tag: "MailTaken", account, messageId: messageId! });
    inbox.expunge([message.uid]);
  });

  script.often(Math.round(script.minutes / 4), () => {
    const account = random.pick(USERS)!;
    facts.push({ _tag: "InboxRecreated", account, at: timeline.now });
    trace.say(() => `the INBOX of ${account} is recreated`);
    mail.account(account).recreate("INBOX");
  });
};
