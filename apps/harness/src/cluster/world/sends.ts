import { SignIn } from "@postern/core/lifecycle";
import { MessageSender, Outbox } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Exit, Redacted } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { Script } from "../Script.ts";
import { ACCOUNTS, CLIENT, PASSWORD } from "./accounts.ts";

/** Creates the accounts on the mail server and signs them in. */
export const signInAll = (cluster: Cluster): void => {
  for (const account of ACCOUNTS) {
    cluster.mail.addAccount(account, PASSWORD);
    cluster.request(`sign in ${account}`, (services) =>
      Context.get(services, SignIn).withPassword(account, Redacted.make(PASSWORD), CLIENT),
    );
  }
};

interface Send {
  readonly account: AccountId;
  readonly subject: string;
  readonly key: string | undefined;
  readonly to: ReadonlyArray<string>;
  readonly sendAt: string | undefined;
}

/** Users send, most of them with an `Idempotency-Key`, repeat what was not answered, and cancel. */
export const sendActs = (script: Script): void => {
  const { cluster } = script;
  const { random, timeline, facts } = cluster;
  script.often(Math.ceil(script.minutes * 4), (number) => {
    const subject = `message ${number}`;
    const others = [`friend-${number}@far.test`, `refused-${number}@far.test`];
    const send = {
      account: random.pick(ACCOUNTS)!,
      subject,
      key: random.chance(0.8) ? `key-${number}` : undefined,
      to: [`colleague-${number}@far.test`, ...random.some(others, random.between(0, 3))],
      sendAt: random.chance(0.1) ? new Date(timeline.now + random.between(5_000, 60_000)).toISOString() : undefined,
    };
    ask(cluster, send, 8);
    if (send.key !== undefined && random.chance(0.15)) timeline.after(30, () => ask(cluster, send, 2));
  });
  script.often(Math.ceil(script.minutes / 2), () => {
    const sent = random.pick(facts.filter((fact) => fact._tag === "SendAccepted"));
    if (sent === undefined) return;
    cluster.request(`cancel ${sent.subject}`, (services) =>
      Context.get(services, Outbox).cancel(sent.account, sent.id),
    );
  });
};

const ask = (cluster: Cluster, send: Send, repeats: number): void => {
  const { account, subject, key, to, sendAt } = send;
  cluster.request(
    `send ${subject}${key === undefined ? "" : ` with ${key}`}`,
    (services) => Context.get(services, MessageSender).send(account, { to, subject, text: "simulated", sendAt }, key),
    (exit) => {
      if (exit !== null && Exit.isSuccess(exit)) {
        cluster.facts.push({ _tag: "SendAccepted", account, subject, id: exit.value.id });
      } else if (key !== undefined && repeats > 0) {
        cluster.timeline.after(cluster.random.between(200, 8_000), () => ask(cluster, send, repeats - 1));
      }
    },
  );
};
