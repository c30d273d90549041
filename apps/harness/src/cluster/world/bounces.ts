import { AccountId } from "@postern/core/shared";
import { undeliverableNotice } from "@postern/memory";
import type { Script } from "../Script.ts";
import { USERS } from "./accounts.ts";

/** Adds acts in which reports about undelivered messages arrive, some of them twice, and forged reports about other recipients. */
export const bounceActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, mail, smtp, facts, trace } = cluster;
  let serial = 0;

  script.often(Math.ceil(script.minutes * 2), () => {
    const message = random.pick(smtp.taken.filter(({ from }) => USERS.includes(from)));
    if (message === undefined) return;
    const { from: account, envelopeId, raw } = message;
    const isForged = random.chance(0.2);
    const recipient = isForged ? "stranger@far.test" : random.pick(message.recipients)!;
    trace.say(() => `a report on ${envelopeId} for ${recipient} arrives for ${account}`);
    for (let copies = random.chance(0.3) ? 2 : 1; copies > 0; copies--) {
      const report = undeliverableNotice(account, [recipient], raw, timeline.now, ++serial);
      const { summary } = mail.account(account).mailbox("INBOX").append(report, timeline.now);
      const messageId = summary.messageId!;
      facts.push({ _tag: "MailArrived", account: AccountId(account), messageId, at: timeline.now });
      facts.push({ _tag: "ReportArrived", account, envelopeId, recipient, messageId, isForged });
    }
  });
};
