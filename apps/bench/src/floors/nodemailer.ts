import { createTransport } from "nodemailer";
import { closedLoop } from "../closed-loop.ts";

export interface NodemailerJob {
  readonly port: number;
  readonly user: string;
  readonly connections: number;
  readonly pool: number;
  readonly millis: number;
}

/** The floor of sending: nodemailer with its own pool of connections. */
process.on("message", (job: NodemailerJob) => void answer(job));
process.on("disconnect", () => process.exit());

const answer = async ({ port, user, connections, pool, millis }: NodemailerJob): Promise<void> => {
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    pool: true,
    maxConnections: pool,
    maxMessages: 100,
    ignoreTLS: true,
    auth: { user, pass: "bench" },
  });
  const message = { from: user, to: "someone@elsewhere.test", subject: "Figures", text: "The figures.\n" };
  const run = await closedLoop(() => transport.sendMail(message), { lanes: connections, millis });
  transport.close();
  process.send?.(run);
};
