import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { once } from "node:events";

/** A server on this machine that behaves like a distant one. */
export interface DistantServer {
  readonly port: number;
  readonly stop: () => void;
}

/**
 * Returns a server of this machine behind a line with this round trip, in milliseconds. A connection takes three
 * packets to open: the server sees it after one and a half round trips, so the client gets the greeting after two.
 */
export const distantServer = async (port: number, roundTrip: number): Promise<DistantServer> => {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client.setNoDelay(true));
    client.on("close", () => sockets.delete(client));
    client.on("error", () => client.destroy());
    setTimeout(() => {
      const upstream = connect(port, "127.0.0.1").setNoDelay(true);
      upstream.on("error", () => client.destroy());
      forward(client, upstream, roundTrip / 2);
      forward(upstream, client, roundTrip / 2);
    }, 1.5 * roundTrip);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

/**
 * Forwards bytes after a delay. Timers of the same length end in the order in which they began, so the bytes stay in
 * order.
 */
const forward = (from: Socket, to: Socket, delay: number): void => {
  from.on("data", (bytes) => setTimeout(() => to.write(bytes), delay));
  from.on("close", () => setTimeout(() => to.destroy(), delay));
};
