import { setTimeout as sleep } from "node:timers/promises";
import { ImapFlow } from "imapflow";

export interface Mailbox {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A way for mail to come; answers when each message, by its Message-ID, was accepted. */
export interface Pace {
  readonly name: string;
  readonly send: (mailbox: Mailbox) => Promise<ReadonlyMap<string, number>>;
}

/** Milliseconds since the epoch, to the microsecond. */
export const now = (): number => performance.timeOrigin + performance.now();

export const connectTo = async ({ port, user, password }: Mailbox): Promise<ImapFlow> => {
  const client = new ImapFlow({
    host: "127.0.0.1",
    port,
    secure: false,
    doSTARTTLS: false,
    logger: false,
    disableAutoIdle: true,
    auth: { user, pass: password },
  });
  client.on("error", () => {});
  await client.connect();
  return client;
};

const append = async (client: ImapFlow, user: string, n: number, sent: Map<string, number>): Promise<void> => {
  const id = `<${n}.${Math.random().toString(36).slice(2)}@bench.test>`;
  const date = new Date().toUTCString();
  const headers = [`From: s@sender.test`, `To: ${user}`, `Subject: mail ${n}`, `Message-ID: ${id}`, `Date: ${date}`];
  await client.append("INBOX", `${headers.join("\r\n")}\r\n\r\nbody ${n}\r\n`);
  sent.set(id, now());
};

/** So many messages, with pauses between a half and one and a half of this many milliseconds before each. */
export const onePerPause = (mails: number, pause: number) => async (mailbox: Mailbox) => {
  const client = await connectTo(mailbox);
  const sent = new Map<string, number>();
  for (let n = 0; n < mails; n++) {
    await sleep(pause * (0.5 + Math.random()));
    await append(client, mailbox.user, n, sent);
  }
  await client.logout();
  return sent;
};

/** So many messages one right after the other. */
export const burst = (mails: number) => onePerPause(mails, 0);
