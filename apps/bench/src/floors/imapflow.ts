import { ImapFlow } from "imapflow";
import { closedLoop } from "../closed-loop.ts";

export interface ImapJob {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly operation: "folders" | "page" | "login";
  readonly page?: number;
  readonly connections: number;
  readonly millis: number;
}

const PAGE = 50;

const connectTo = async ({ port, user, password }: ImapJob): Promise<ImapFlow> => {
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

const page = async (client: ImapFlow, number: number): Promise<void> => {
  const total = client.mailbox === false ? 0 : client.mailbox.exists;
  const last = total - (number - 1) * PAGE;
  const range = `${Math.max(1, last - PAGE + 1)}:${last}`;
  const query = { uid: true, flags: true, envelope: true, bodyStructure: true, size: true, internalDate: true };
  const messages = await client.fetchAll(range, query);
  if (messages.length !== PAGE) throw new Error(`a page of ${messages.length}`);
};

const OPERATIONS: Record<ImapJob["operation"], (client: ImapFlow, job: ImapJob) => Promise<unknown>> = {
  folders: (client) => client.list({ statusQuery: { messages: true, unseen: true, uidNext: true, uidValidity: true } }),
  page: (client, job) => page(client, job.page ?? 1),
  login: async (_, job) => (await connectTo(job)).logout(),
};

/** The floor of reading mail: imapflow on persistent connections with INBOX selected. */
process.on("message", (job: ImapJob) => void answer(job));

const answer = async (job: ImapJob): Promise<void> => {
  const clients = await Promise.all(Array.from({ length: job.connections }, () => connectTo(job)));
  for (const client of clients) await client.mailboxOpen("INBOX");
  const run = await closedLoop((lane) => OPERATIONS[job.operation](clients[lane]!, job), {
    lanes: job.connections,
    millis: job.millis,
  });
  for (const client of clients) client.close();
  process.send?.(run);
};
