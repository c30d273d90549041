import { connect, type Socket } from "node:net";
import { closedLoop } from "../load/closed-loop.ts";

export interface RawImapJob {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly connections: number;
  readonly millis: number;
}

const PAGE = 50;
const ITEMS = "(UID FLAGS ENVELOPE BODYSTRUCTURE RFC822.SIZE INTERNALDATE)";

/** Maximum number of bytes of a tagged line; Dovecot's answer to LOGIN lists its capabilities. */
const TAGGED_LINE = 4096;

/** Sends a command; resolves with the unparsed response once its tagged line has arrived. */
const command = (socket: Socket, text: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Array<Buffer> = [];
    let tail = "";
    const hear = (bytes: Buffer) => {
      parts.push(bytes);
      tail = (tail + bytes.subarray(-TAGGED_LINE).toString("latin1")).slice(-TAGGED_LINE);
      const lastLine = tail.slice(tail.lastIndexOf("\r\n", tail.length - 3) + 1).trimStart();
      if (!tail.endsWith("\r\n") || !lastLine.startsWith("a ")) return;
      socket.off("data", hear).off("error", reject);
      if (lastLine.startsWith("a OK")) resolve(Buffer.concat(parts));
      else reject(new Error(`${text}: ${lastLine}`));
    };
    socket.on("data", hear).on("error", reject);
    socket.write(`a ${text}\r\n`);
  });

const signedIn = async ({ port, user, password }: RawImapJob): Promise<{ socket: Socket; range: string }> => {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await new Promise((resolve, reject) => socket.once("data", resolve).once("error", reject));
  await command(socket, `LOGIN ${user} ${password}`);
  const selected = await command(socket, "SELECT INBOX");
  const total = Number(/\* (\d+) EXISTS/.exec(selected.toString("latin1"))?.[1]);
  return { socket, range: `${total - PAGE + 1}:${total}` };
};

/** The floor of reading a page: the bytes of its FETCH on persistent connections, unparsed. */
process.on("message", (job: RawImapJob) => void answer(job));
process.on("disconnect", () => process.exit());

const answer = async (job: RawImapJob): Promise<void> => {
  const sessions = await Promise.all(Array.from({ length: job.connections }, () => signedIn(job)));
  const run = await closedLoop(
    async (lane) => {
      const { socket, range } = sessions[lane]!;
      const bytes = await command(socket, `FETCH ${range} ${ITEMS}`);
      if (bytes.length < PAGE * 100) throw new Error(`a page of ${bytes.length} bytes`);
    },
    { lanes: job.connections, millis: job.millis },
  );
  for (const { socket } of sessions) socket.destroy();
  process.send?.(run);
};
