import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a TCP proxy of PostgreSQL that cuts connections at the COMMIT of a transaction with a given statement. */
export const commitProxy = async (database: string) => {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let trap: { readonly wrote: string; readonly when: "before" | "after"; readonly strike: () => void } | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let wrote = false;
    let committing = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true).on("error", () => socket.destroy());
      socket.on("close", () => other.destroy());
    }
    const spring = () => {
      const { strike } = trap!;
      trap = undefined;
      strike();
      for (const socket of sockets) socket.destroy();
    };
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (trap !== undefined && text.includes(trap.wrote)) wrote = true;
      if (trap !== undefined && wrote && /\bcommit\b/i.test(text)) {
        if (trap.when === "before") return spring();
        committing = true;
      }
      upstream.write(bytes);
    });
    // The server has committed, but the client does not receive the answer.
    upstream.on("data", (bytes) => (committing && trap !== undefined ? spring() : void client.write(bytes)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(database);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    /** Calls `strike` and cuts all connections: before the COMMIT, or between the COMMIT and its answer. Resolves afterwards. */
    strikeAt: (when: "before" | "after", wrote: string, strike: () => void) =>
      new Promise<void>((resolve) => {
        trap = {
          wrote,
          when,
          strike: () => {
            strike();
            resolve();
          },
        };
      }),
  };
};
