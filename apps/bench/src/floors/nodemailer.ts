import { createTransport } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { closedLoop } from "../load/closed-loop.ts";
import { connectImap } from "../load/connect-imap.ts";

export interface NodemailerJob {
  readonly port: number;
  readonly user: string;
  readonly connections: number;
  readonly pool: number;
  readonly millis: number;
  /** The mail server that gets a copy of each message in `Sent`, over one connection; none by default. */
  readonly copies?: { readonly port: number; readonly password: string };
}

/** The floor of sending: nodemailer with its own pool of connections, and imapflow if each message is copied. */
process.on("message", (job: NodemailerJob) => void answer(job));
process.on("disconnect", () => process.exit());

const answer = async ({ port, user, connections, pool, millis, copies }: NodemailerJob): Promise<void> => {
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
  const keeper = copies === undefined ? undefined : await connectImap({ user, ...copies });
  const sendCopied = async () => {
    const raw = await new MailComposer(message).compile().build();
    await transport.sendMail({ envelope: { from: user, to: message.to }, raw });
    await keeper!.append("Sent", raw, ["\\Seen"]);
  };
  const send = keeper === undefined ? () => transport.sendMail(message) : sendCopied;
  const run = await closedLoop(send, { lanes: connections, millis });
  transport.close();
  await keeper?.logout();
  process.send?.(run);
};
