import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy before PostgreSQL that can strike, or swallow everything, in the middle of a transaction. */
export interface StallingProxy {
  readonly url: string;
  /** Once a statement like this went through inside a transaction, with that transaction open. */
  readonly strikeAt: (statement: RegExp, strike: () => void) => Promise<void>;
  /** From now on nothing passes, and neither side is told. */
  readonly swallow: () => void;
  /** New connections pass again; those of before are cut. */
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
