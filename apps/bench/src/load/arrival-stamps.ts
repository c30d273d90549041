import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { now } from "./arrival-load.ts";
import { connectImap, type Mailbox } from "./connect-imap.ts";

/** The time at which each message was announced, by Message-ID. */
export interface Stamps {
  readonly idle: ReadonlyMap<string, number>;
  readonly live: ReadonlyMap<string, number>;
  readonly webhook: ReadonlyMap<string, number>;
}

const PATIENCE = 60_000;

/** Waits for mail by a bare connection in IDLE, the event stream and a webhook. */
export const watchThree = async (base: string, token: string, mailbox: Mailbox) => {
  const live = new Map<string, number>();
  const webhook = new Map<string, number>();
  const stream = await openStream(`${base}/api/events`, token, live);
  const receiver = await startReceiver(webhook);
  await makeEndpoint(base, token, receiver.url);
  const idle = await idleOn(mailbox);
  // After this time the service has read the mailbox for the first time.
  await sleep(2_000);
  return {
    /** Returns the times for messages sent in this order, when all have been announced. */
    stampsOf: async (ids: ReadonlyArray<string>): Promise<Stamps> => {
      const until = now() + PATIENCE;
      while (!ids.every((id) => live.has(id) && webhook.has(id)) || idle.counted() < ids.length) {
        if (now() > until)
          throw new Error(
            `of ${ids.length} messages, IDLE announced ${idle.counted()}, the stream ${live.size}, the webhook ${webhook.size}`,
          );
        await sleep(50);
      }
      return { idle: idle.take(ids), live, webhook };
    },
    stop: async () => {
      stream.destroy();
      receiver.stop();
      await idle.stop();
    },
  };
};

const messageIdIn = (body: string): string | undefined =>
  (JSON.parse(body) as { readonly data?: { readonly messageId?: string } }).data?.messageId;

const stamp = (stamps: Map<string, number>, body: string, at: number): void => {
  const id = messageIdIn(body);
  if (id !== undefined && !stamps.has(id)) stamps.set(id, at);
};

const openStream = async (url: string, token: string, stamps: Map<string, number>): Promise<IncomingMessage> => {
  const request = get(url, { headers: { authorization: `Bearer ${token}` }, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the stream answered ${response.statusCode}`);
  let text = "";
  response.on("error", () => {});
  response.setEncoding("utf8").on("data", (some: string) => {
    const at = now();
    text += some;
    const items = text.split("\n\n");
    text = items.pop()!;
    for (const item of items) {
      const data = /^data: (.*)$/m.exec(item)?.[1];
      if (item.includes("event: email.received") && data !== undefined) stamp(stamps, data, at);
    }
  });
  return response;
};

const startReceiver = async (stamps: Map<string, number>) => {
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = [];
    request.on("data", (some: Buffer) => parts.push(some));
    request.on("end", () => {
      stamp(stamps, Buffer.concat(parts).toString(), now());
      response.end("ok");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/`, stop };
};

const makeEndpoint = async (base: string, token: string, url: string): Promise<void> => {
  const answer = await fetch(`${base}/api/settings/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ url, events: ["email.received"] }),
  });
  if (!answer.ok) throw new Error(`the endpoint answered ${answer.status}: ${await answer.text()}`);
};

/** Records the time of each EXISTS; its count shows which messages are new. */
const idleOn = async (mailbox: Mailbox) => {
  const client = await connectImap(mailbox);
  const opened = await client.mailboxOpen("INBOX", { readOnly: true });
  let base = opened.exists;
  const stamps: Array<number> = [];
  client.on("exists", ({ count }: { readonly count: number }) => {
    while (base + stamps.length < count) stamps.push(now());
  });
  void client.idle();
  return {
    counted: () => stamps.length,
    take: (ids: ReadonlyArray<string>) => {
      const taken = stamps.splice(0);
      base += taken.length;
      return new Map(ids.map((id, n) => [id, taken[n]!]));
    },
    stop: async () => client.close(),
  };
};
