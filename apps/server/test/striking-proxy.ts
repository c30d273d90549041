import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Effect, type Scope } from "effect";

/** A moment in a conversation: bytes with this text arrive from one side. */
export interface Moment {
  readonly from: "client" | "server";
  readonly text: RegExp;
  /** Whether the other side still receives these bytes. */
  readonly isForwarded: boolean;
}

/** A TCP proxy on the loopback that calls a function at a moment of a conversation. */
export interface StrikingProxy {
  readonly port: number;
  /** Calls `strike` once, at the next such moment. If the bytes of the moment are not forwarded, the connection forwards nothing from then on. */
  readonly arrange: (moment: Moment, strike: () => void) => void;
  readonly disarm: () => void;
}

/** The number of last bytes that are searched together with the next piece, because a text may arrive in two pieces. */
const OVERLAP = 200;

/** Starts a proxy of a server on the loopback. */
export const strikingProxy = (port: number): Effect.Effect<StrikingProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>();
      let armed: (Moment & { readonly strike: () => void }) | undefined;
      const server = createServer((client) => {
        const upstream = connect(port, "127.0.0.1");
        let isHeld = false;
        for (const [from, source, target] of [
          ["client", client, upstream],
          ["server", upstream, client],
        ] as const) {
          let tail = "";
          sockets.add(source.setNoDelay(true));
          source.on("error", () => source.destroy());
          source.on("close", () => {
            sockets.delete(source);
            target.destroy();
          });
          source.on("data", (bytes: Buffer) => {
            const seen = tail + bytes.toString("latin1");
            tail = seen.slice(-OVERLAP);
            const struck = armed?.from === from && armed.text.test(seen) ? armed : undefined;
            if (struck !== undefined) {
              armed = undefined;
              tail = "";
              isHeld = !struck.isForwarded;
            }
            if (!isHeld) target.write(bytes);
            struck?.strike();
          });
        }
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      return { server, sockets, arm: (next: typeof armed) => void (armed = next) };
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      }),
  ).pipe(
    Effect.map(({ server, arm }) => ({
      port: (server.address() as AddressInfo).port,
      arrange: (moment, strike) => arm({ ...moment, strike }),
      disarm: () => arm(undefined),
    })),
  );
