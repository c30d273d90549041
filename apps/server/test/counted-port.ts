import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy of a port of this machine at a loopback address, which records when connections were opened. */
export interface CountedPort {
  readonly port: number;
  /** When each connection was opened, in monotonic milliseconds. */
  readonly openedAt: ReadonlyArray<number>;
  /** Returns the number of open connections. */
  readonly open: () => number;
  /** Cuts the open connections. */
  readonly cut: () => void;
  readonly close: () => void;
}

export const countedPort = async (host: string, upstreamPort: number): Promise<CountedPort> => {
  const clients = new Set<Socket>();
  const openedAt: Array<number> = [];
  const server = createServer((client) => {
    openedAt.push(performance.now());
    clients.add(client.setNoDelay(true));
    const upstream = connect(upstreamPort, "127.0.0.1").setNoDelay(true);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on("error", () => socket.destroy());
      socket.on("close", () => other.destroy());
      socket.pipe(other);
    }
    client.on("close", () => clients.delete(client));
  }).listen(0, host);
  await once(server, "listening");
  const cut = () => {
    for (const client of clients) client.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    openedAt,
    open: () => clients.size,
    cut,
    close: () => {
      server.close();
      cut();
    },
  };
};

/** Returns the largest number of connections that were opened in any span of this many milliseconds. */
export const mostWithin = (ports: ReadonlyArray<CountedPort>, millis: number): number => {
  const moments = ports.flatMap(({ openedAt }) => openedAt).toSorted((one, other) => one - other);
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + millis).length));
};
