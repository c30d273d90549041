import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy of PostgreSQL that can cut a transaction or drop all packets. */
export interface StallingProxy {
  readonly url: string;
  /** Calls `strike` after a matching statement of a transaction, while the transaction is open. */
  readonly strikeAt: (statement: RegExp, strike: () => void) => Promise<void>;
  /** Forwards nothing from now on; both connections stay open. */
  readonly swallow: () => void;
  /** Forwards new connections again; cuts the earlier ones. */
  readonly heal: () => void;
  readonly close: () => void;
}

export const stallingProxy = async (database: string): Promise<StallingProxy> => {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let swallowing = false;
  let trap: { readonly statement: RegExp; readonly strike: () => void } | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let inTransaction = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true).on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        if (!swallowing) other.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (swallowing) return;
      upstream.write(bytes);
      const text = bytes.toString("latin1");
      if (/\bbegin\b/i.test(text)) inTransaction = true;
      if (inTransaction && trap?.statement.test(text) === true) {
        const { strike } = trap;
        trap = undefined;
        strike();
      }
      if (/\b(commit|rollback)\b/i.test(text)) inTransaction = false;
    });
    upstream.on("data", (bytes) => swallowing || client.write(bytes));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const through = new URL(database);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: through.href,
    strikeAt: (statement, strike) =>
      new Promise((resolve) => {
        trap = { statement, strike: () => (strike(), resolve()) };
      }),
    swallow: () => void (swallowing = true),
    heal: () => {
      cut();
      swallowing = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
};
