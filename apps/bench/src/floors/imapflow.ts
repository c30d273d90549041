import type { ImapFlow } from "imapflow";
import { measureAfterChanges } from "../load/measure-after-changes.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { connectImap } from "../load/connect-imap.ts";
import type { Run } from "../figures/statistics.ts";

export interface ImapJob {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** `changed page`: a page after a NOOP. Before each page another client changes a flag, which is not timed. */
  readonly operation: "folders" | "page" | "login" | "changed page";
  readonly page?: number;
  readonly connections: number;
  readonly millis: number;
}

const PAGE = 50;

const page = async (client: ImapFlow, number: number): Promise<void> => {
  const total = client.mailbox === false ? 0 : client.mailbox.exists;
  const last = total - (number - 1) * PAGE;
  const range = `${Math.max(1, last - PAGE + 1)}:${last}`;
  const query = { uid: true, flags: true, envelope: true, bodyStructure: true, size: true, internalDate: true };
  const messages = await client.fetchAll(range, query);
  if (messages.length !== PAGE) throw new Error(`a page of ${messages.length}`);
};

const OPERATIONS: Record<
  Exclude<ImapJob["operation"], "changed page">,
  (client: ImapFlow, job: ImapJob) => Promise<unknown>
> = {
  folders: (client) => client.list({ statusQuery: { messages: true, unseen: true, uidNext: true, uidValidity: true } }),
  page: (client, job) => page(client, job.page ?? 1),
  login: async (_, job) => (await connectImap(job)).logout(),
};

const changedPages = async (client: ImapFlow, other: ImapFlow, millis: number): Promise<Run> => {
  await other.mailboxOpen("INBOX");
  const run = await measureAfterChanges(
    async (n) => void (await other[n % 2 === 0 ? "messageFlagsAdd" : "messageFlagsRemove"]("*", ["\\Flagged"])),
    async () => {
      await client.noop();
      await page(client, 1);
    },
    millis,
  );
  other.close();
  return run;
};

/** The floor of reading mail: imapflow on persistent connections with INBOX selected. */
process.on("message", (job: ImapJob) => void answer(job));

const answer = async (job: ImapJob): Promise<void> => {
  const clients = await Promise.all(Array.from({ length: job.connections }, () => connectImap(job)));
  for (const client of clients) await client.mailboxOpen("INBOX");
  const { operation, connections: lanes, millis } = job;
  const run =
    operation === "changed page"
      ? await changedPages(clients[0]!, await connectImap(job), millis)
      : await closedLoop((lane) => OPERATIONS[operation](clients[lane]!, job), { lanes, millis });
  for (const client of clients) client.close();
  process.send?.(run);
};
