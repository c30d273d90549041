import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Effect, type Scope } from "effect";

/** A TCP proxy on the loopback before an IMAP server, which answers some commands itself, with NO. */
export interface RefusingProxy {
  readonly port: number;
  /** From now on commands whose name matches are answered `NO` with this text; undefined lets all through. */
  readonly refuse: (name: RegExp | undefined, text?: string) => void;
  /** The names of the commands refused so far. */
  readonly refused: ReadonlyArray<string>;
}

/** For sessions without literals that wait for one answer before the next command, as imapflow's are. */
export const refusingProxy = (port: number): Effect.Effect<RefusingProxy, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const sockets = new Set<Socket>();
        const refused: Array<string> = [];
        let rule: { readonly name: RegExp; readonly text: string } | undefined;
        const server = createServer((client) => {
          const upstream = connect(port, "127.0.0.1");
          for (const [socket, other] of [
            [client, upstream],
            [upstream, client],
          ] as const) {
            sockets.add(socket);
            socket.setNoDelay(true).on("error", () => socket.destroy());
            socket.on("close", () => {
              sockets.delete(socket);
              other.destroy();
            });
          }
          upstream.on("data", (bytes) => client.write(bytes));
          client.on("data", (bytes) => {
            const [, tag, name] = /^(\S+) ((?:UID )?\S+)/.exec(bytes.toString("latin1")) ?? [];
            if (tag === undefined || name === undefined || rule?.name.test(name) !== true) return upstream.write(bytes);
            refused.push(name);
            return client.write(`${tag} NO ${rule.text}\r\n`);
          });
        }).listen(0, "127.0.0.1");
        await once(server, "listening");
        const refuse: RefusingProxy["refuse"] = (name, text = "[NOPERM] not allowed") => {
          rule = name === undefined ? undefined : { name, text };
        };
        return { server, sockets, refuse, refused };
      }),
      ({ server, sockets }) =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy();
          server.close();
        }),
    ),
    ({ server, refuse, refused }) => ({ port: (server.address() as AddressInfo).port, refuse, refused }),
  );
