import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Effect, type Scope } from "effect";

/** What a proxy does to the lines between a client and an IMAP server. Lines are Latin-1 and end with CRLF. */
export interface ImapRewrite {
  /**
   * A line of the client as the server gets it, or the text that answers it in the server's place, without the tag.
   * Connections are numbered from 1 in the order they were opened.
   */
  readonly command?: (line: string, connection: number) => string | { readonly answer: string };
  /** A line of the server as the client gets it; empty: it gets none. */
  readonly response?: (line: string) => string;
}

export interface ImapProxy {
  readonly port: number;
  /** Connections opened so far. */
  connections: number;
  /** Applies to what comes from now on, on open connections too. */
  rewrite: ImapRewrite;
}

/** A proxy on the loopback before an IMAP server, that rewrites lines and passes literals on untouched. */
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

/** Has the proxy answer matching commands itself, such as `NO [NOPERM] not yours`. */
export const refusing = (commands: RegExp, answer: string): ImapRewrite => ({
  command: (line) => (commands.test(line) ? { answer } : line),
});

/** Hides UIDPLUS, and the response codes that come with it. */
export const withoutUidPlus: ImapRewrite = {
  response: (line) => line.replaceAll(/ UIDPLUS\b/g, "").replaceAll(/\[(?:COPYUID|APPENDUID) [^\]]*\] ?/g, ""),
};

const forwardCommands = (client: Socket, upstream: Socket, proxy: ImapProxy, connection: number): void => {
  // The literals of a command that is answered here are not for the server.
  let isAnswered = false;
  cutLines(client, {
    line: (line, literal) => {
      const isContinued = isAnswered;
      const made = isContinued ? "" : (proxy.rewrite.command?.(line, connection) ?? line);
      if (typeof made === "string") upstream.write(made, "latin1");
      else client.write(`${line.split(" ", 1)[0]} ${made.answer}\r\n`, "latin1");
      // A client waits for leave to send a synchronising literal, and never sends one that is refused.
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
  /** False where the literal announced at the end of the line does not come. */
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
