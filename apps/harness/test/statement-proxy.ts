import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a TCP proxy of PostgreSQL that logs the statements which clients send. */
export const statementProxy = async (database: string) => {
  const { hostname, port } = new URL(database);
  const log: Array<string> = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true).on("error", () => socket.destroy());
      socket.on("close", () => other.destroy());
    }
    let [pending, begun] = [Buffer.alloc(0), false];
    client.on("data", (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      // Every message but the first begins with its type.
      for (let from = begun ? 1 : 0; pending.length >= from + 4; from = 1) {
        const end = from + pending.readInt32BE(from);
        if (pending.length < end) break;
        const kind = begun ? String.fromCharCode(pending[0]!) : "";
        // Parse has the name of the statement before its text.
        const texts = pending.toString("utf8", from + 4, end).split("\0");
        if (kind === "Q" || kind === "P") log.push(texts[kind === "Q" ? 0 : 1]!);
        pending = pending.subarray(end);
        begun = true;
      }
    });
    client.pipe(upstream);
    upstream.pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(database);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: through.href, log };
};
