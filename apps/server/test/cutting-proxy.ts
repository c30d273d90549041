import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Effect } from "effect";

/** A TCP proxy on the loopback that cuts all connections once, at the n-th chunk that clients send. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts at the n-th chunk from now on (0: never), before or after forwarding the chunk, and calls `strike`. */
  readonly arrange: (nth: number, when: "before" | "after", strike?: () => void) => void;
  readonly struck: () => boolean;
}

/** Starts a proxy that closes all connections at the chosen chunk. */
export const cuttingProxy = (port: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const pairs = new Set<readonly [Socket, Socket]>();
        let [left, moment, struck] = [0, "before", false];
        let also = () => {};
        const cut = () => {
          struck = true;
          also();
          for (const pair of pairs) for (const socket of pair) socket.destroy();
        };
        const server = createServer((client) => {
          const upstream = connect(port, "127.0.0.1");
          const pair = [client, upstream] as const;
          pairs.add(pair);
          for (const [socket, other] of [pair, [upstream, client]] as const) {
            socket.setNoDelay(true).on("error", () => socket.destroy());
            socket.on("close", () => {
              pairs.delete(pair);
              other.destroy();
            });
          }
          upstream.on("data", (bytes) => client.write(bytes));
          client.on("data", (bytes) => {
            const strikes = left > 0 && --left === 0;
            if (strikes && moment === "before") return cut();
            upstream.write(bytes, () => strikes && setTimeout(cut, 3));
          });
        }).listen(0, "127.0.0.1");
        await once(server, "listening");
        const arrange: CuttingProxy["arrange"] = (nth, when, strike = () => {}) => {
          [left, moment, struck, also] = [nth, when, false, strike];
        };
        return { server, pairs, arrange, struck: () => struck };
      }),
      ({ server, pairs }) =>
        Effect.sync(() => {
          for (const pair of pairs) for (const socket of pair) socket.destroy();
          server.close();
        }),
    ),
    ({ server, arrange, struck }): CuttingProxy => {
      const address = server.address();
      return { port: typeof address === "object" && address !== null ? address.port : 0, arrange, struck };
    },
  );
