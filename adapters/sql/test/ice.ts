import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";
import { Effect } from "effect";

/** A loopback proxy between a client and a server; when frozen, it forwards nothing and keeps connections open. */
export const ice = (host: string, port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>();
      let frozen = false;
      const server = createServer((client) => {
        sockets.add(client);
        if (frozen) return;
        const upstream = connect(port, host);
        for (const [from, to] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          sockets.add(to);
          from.on("data", (bytes) => (frozen ? undefined : to.write(bytes)));
          from.on("error", () => {});
          from.on("close", () => to.destroy());
        }
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      const close = () => {
        server.close();
        for (const socket of sockets) socket.destroy();
      };
      return { port: address.port, freeze: () => (frozen = true), thaw: () => (frozen = false), close };
    }),
    ({ close }) => Effect.sync(close),
  );
