import { setTimeout as sleep } from "node:timers/promises";
import type { ImapFlow } from "imapflow";
import { connectImap, type Mailbox } from "./connect-imap.ts";

/** A load of messages; `send` returns the time at which each message was accepted, by Message-ID. */
export interface ArrivalLoad {
  readonly name: string;
  readonly send: (mailbox: Mailbox) => Promise<ReadonlyMap<string, number>>;
}

/** Returns the time in epoch milliseconds, with a resolution of microseconds. */
export const now = (): number => performance.timeOrigin + performance.now();

const append = async (client: ImapFlow, user: string, n: number, sent: Map<string, number>): Promise<void> => {
  const id = `<${n}.${Math.random().toString(36).slice(2)}@bench.test>`;
  const date = new Date().toUTCString();
  const headers = [`From: s@sender.test`, `To: ${user}`, `Subject: mail ${n}`, `Message-ID: ${id}`, `Date: ${date}`];
  await client.append("INBOX", `${headers.join("\r\n")}\r\n\r\nbody ${n}\r\n`);
  sent.set(id, now());
};

/** Returns a load of messages, each after a random pause of 0.5 to 1.5 times `pause`, in milliseconds. */
export const onePerPause = (mails: number, pause: number) => async (mailbox: Mailbox) => {
  const client = await connectImap(mailbox);
  const sent = new Map<string, number>();
  for (let n = 0; n < mails; n++) {
    await sleep(pause * (0.5 + Math.random()));
    await append(client, mailbox.user, n, sent);
  }
  await client.logout();
  return sent;
};

/** Returns a load of messages without pauses. */
export const burst = (mails: number) => onePerPause(mails, 0);
