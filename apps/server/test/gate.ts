import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy at a loopback address that can be closed, like a server that is down, and opened again at the same port. */
export const openGate = async (to: number, host = "127.0.0.1") => {
  const sockets = new Set<Socket>();
  const listen = async (port: number) => {
    const server = createServer((client) => {
      const upstream = connect(to, "127.0.0.1");
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket.setNoDelay(true));
        socket.on("error", () => socket.destroy()).on("close", () => other.destroy());
        socket.pipe(other);
      }
    }).listen(port, host);
    await once(server, "listening");
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    open: async () => void (server = await listen(port)),
  };
};
