import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Effect, type Scope } from "effect";

/** Changes that a proxy makes to the lines between a client and an IMAP server. Lines are Latin-1 and end with CRLF. */
export interface ImapRewrite {
  /**
   * Returns the line that the server receives, or the proxy's own answer to it without the tag. Connections are numbered
   * from 1.
   */
  readonly command?: (line: string, connection: number) => string | { readonly answer: string };
  /** Returns the line that the client receives; empty drops it. */
  readonly response?: (line: string) => string;
}

export interface ImapProxy {
  readonly port: number;
  /** Connections opened so far. */
  connections: number;
  /** Applies to all lines from now on, on open connections too. */
  rewrite: ImapRewrite;
}

/** Starts a loopback proxy of an IMAP server that rewrites lines and forwards literals unchanged. */
export const imapProxy = (port: number, rewrite: ImapRewrite = {}): Effect.Effect<ImapProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>();
      const proxy = { port: 0, connections: 0, rewrite };
      const server = createServer((client) => {
        const upstream = connect(port, "127.0.0.1");
        for (const [socket, other] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          sockets.add(socket.setNoDelay(true));
          socket.on("error", () => socket.destroy());
          socket.on("close", () => {
            sockets.delete(socket);
            other.destroy();
          });
        }
        forwardCommands(client, upstream, proxy, ++proxy.connections);
        forwardResponses(upstream, client, proxy);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      proxy.port = (server.address() as AddressInfo).port;
      return { proxy, server, sockets };
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      }),
  ).pipe(Effect.map(({ proxy }): ImapProxy => proxy));

/** Makes the proxy answer matching commands itself, such as `NO [NOPERM] not yours`. */
export const refusing = (commands: RegExp, answer: string): ImapRewrite => ({
  command: (line) => (commands.test(line) ? { answer } : line),
});

/** Hides UIDPLUS and its response codes. */
export const withoutUidPlus: ImapRewrite = {
  response: (line) => line.replaceAll(/ UIDPLUS\b/g, "").replaceAll(/\[(?:COPYUID|APPENDUID) [^\]]*\] ?/g, ""),
};

const forwardCommands = (client: Socket, upstream: Socket, proxy: ImapProxy, connection: number): void => {
  // The literals of a command that the proxy answers are not forwarded.
  let isAnswered = false;
  cutLines(client, {
    line: (line, literal) => {
      const isContinued = isAnswered;
      const made = isContinued ? "" : (proxy.rewrite.command?.(line, connection) ?? line);
      if (typeof made === "string") upstream.write(made, "latin1");
      else client.write(`${line.split(" ", 1)[0]} ${made.answer}\r\n`, "latin1");
      // A client waits for a continuation before a synchronising literal, and does not send it after a NO.
      isAnswered = (isContinued || typeof made !== "string") && literal === "sent at once";
      return isAnswered || typeof made === "string";
    },
    literal: (bytes) => void (isAnswered || upstream.write(bytes)),
  });
};

const forwardResponses = (upstream: Socket, client: Socket, proxy: ImapProxy): void =>
  cutLines(upstream, {
    line: (line) => {
      client.write(proxy.rewrite.response?.(line) ?? line, "latin1");
      return true;
    },
    literal: (bytes) => void client.write(bytes),
  });

interface Pieces {
  /** Handles a line; false if the client will not send the literal that the line announces. */
  readonly line: (line: string, literal: "sent at once" | "waited for" | undefined) => boolean;
  readonly literal: (bytes: Buffer) => void;
}

const LITERAL = /\{(\d+)(\+?)\}\r\n$/;

const cutLines = (socket: Socket, { line, literal }: Pieces): void => {
  let buffered = Buffer.alloc(0);
  let left = 0;
  socket.on("data", (bytes: Buffer) => {
    buffered = Buffer.concat([buffered, bytes]);
    while (buffered.length > 0) {
      if (left > 0) {
        const part = buffered.subarray(0, left);
        left -= part.length;
        buffered = buffered.subarray(part.length);
        literal(part);
        continue;
      }
      const end = buffered.indexOf("\r\n");
      if (end < 0) return;
      const text = buffered.toString("latin1", 0, end + 2);
      buffered = buffered.subarray(end + 2);
      const [, length, plus] = LITERAL.exec(text) ?? [];
      const comes = line(text, length === undefined ? undefined : plus === "+" ? "sent at once" : "waited for");
      if (comes) left = Number(length ?? 0);
    }
  });
};
