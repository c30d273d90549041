import { MessageSender } from "@postern/core/send";
import { Context } from "effect";
import type { Script } from "../Script.ts";
import { textOf, USERS } from "./accounts.ts";

/**
 * A message whose process is stopped during the first attempt: its recipient is slow, and then refused for one attempt.
 */
export const INTERRUPTED = {
  account: USERS[1]!,
  key: "cut-off",
  request: { to: "slow-then-later@far.test", subject: "cut off", text: "simulated" },
};

/** The time before the end of the faults at which the message is sent and all nodes end, in milliseconds. */
const SENT = 2_500;
const ENDED = 100;

/** Adds acts in which in half of the seeds all nodes end at once, in the middle of their work, just before the faults are over. */
export const restartActs = (script: Script): void => {
  const { cluster, end } = script;
  if (cluster.random.chance(0.5)) return;
  script.at(end - SENT, () =>
    cluster.request("send what is cut off", (services) =>
      Context.get(services, MessageSender).send(INTERRUPTED.account, INTERRUPTED.request, INTERRUPTED.key),
    ),
  );
  script.at(end - SENT, () => {
    const messageId = "<cut-off@far.test>";
    const { account } = INTERRUPTED;
    const at = cluster.timeline.now;
    // The POST about the message is cut off, too.
    cluster.receivers.behave(`https://steady.sim.test/${account}`, { broken: 0, silent: 1, cut: 0, slow: 2 });
    cluster.mail.account(account).mailbox("INBOX").append(textOf(messageId, account), at);
    cluster.facts.push({ _tag: "MailArrived", account, messageId, at });
  });
  script.at(end - ENDED, () => {
    cluster.trace.say(() => "all nodes end");
    cluster.facts.push({ _tag: "AllEnded" });
    for (let place = 0; place < cluster.size; place++) cluster.crash(place);
  });
};
