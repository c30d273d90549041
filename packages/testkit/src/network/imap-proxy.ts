import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Effect, type Scope } from "effect";

/** Changes that a proxy makes to the lines between a client and an IMAP server. Lines are Latin-1 and end with CRLF. */
export interface ImapRewrite {
  /**
   * Returns the line that the server receives, or the proxy's own answer without the tag. Connections are numbered from
   * 1.
   */
  readonly command?: (line: string, connection: number) => string | { readonly answer: string };
  /** Returns the lines that the client receives; empty drops the line. */
  readonly response?: (line: string, connection: number) => string | DamagedResponse;
  /** The largest number of bytes that the client receives at once; unlimited by default. */
  readonly pieces?: number;
}

/** A response that is late or truncated; a truncation ends the connection. */
export interface DamagedResponse {
  readonly lines: string;
  readonly lateBy?: number;
  readonly cutAt?: number;
}

export interface ImapProxy {
  readonly port: number;
  /** The number of connections opened. */
  connections: number;
  /** The number of bytes that the server sent. */
  bytes: number;
  /** The commands of all connections so far, without their literals. */
  readonly commands: ReadonlyArray<string>;
  /** Sends a line to each connection that waits in IDLE; returns their number. */
  readonly interruptIdle: (line: string) => number;
  /** The changes for all further lines, also on open connections. */
  rewrite: ImapRewrite;
}

/** Starts a loopback proxy of an IMAP server that rewrites lines and forwards literals unchanged. */
export const imapProxy = (port: number, rewrite: ImapRewrite = {}): Effect.Effect<ImapProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>();
      const idling = new Set<Socket>();
      const commands: Array<string> = [];
      const interruptIdle = (line: string) => {
        for (const client of idling) client.write(line, "latin1");
        return idling.size;
      };
      const proxy = { port: 0, connections: 0, bytes: 0, commands, interruptIdle, rewrite };
      const server = createServer((client) => {
        const upstream = connect(port, "127.0.0.1");
        const connection = ++proxy.connections;
        upstream.on("data", ({ length }) => (proxy.bytes += length));
        client.on("close", () => idling.delete(client));
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
        const note = (line: string) => {
          commands.push(line.trimEnd());
          if (/^\S+ IDLE\r/i.test(line)) idling.add(client);
          else idling.delete(client);
        };
        forwardCommands(client, upstream, proxy, connection, note);
        forwardResponses(upstream, client, proxy, connection);
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

/** Returns changes that make the proxy answer matching commands itself, such as `NO [NOPERM] not yours`. */
export const refuseCommands = (commands: RegExp, answer: string): ImapRewrite => ({
  command: (line) => (commands.test(line) ? { answer } : line),
});

/** Hides UIDPLUS and its response codes. */
export const withoutUidPlus: ImapRewrite = {
  response: (line) => line.replaceAll(/ UIDPLUS\b/g, "").replaceAll(/\[(?:COPYUID|APPENDUID) [^\]]*\] ?/g, ""),
};

const forwardCommands = (
  client: Socket,
  upstream: Socket,
  proxy: ImapProxy,
  connection: number,
  note: (line: string) => void,
): void => {
  // The literals of a command that the proxy answers are not forwarded.
  let isAnswered = false;
  cutLines(client, {
    line: (line, literal) => {
      note(line);
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

const forwardResponses = (upstream: Socket, client: Socket, proxy: ImapProxy, connection: number): void => {
  const write = sendingTo(client, proxy);
  cutLines(upstream, {
    line: (line) => {
      const made = proxy.rewrite.response?.(line, connection) ?? line;
      write(typeof made === "string" ? { lines: made } : made);
      return true;
    },
    literal: (bytes) => write({ lines: bytes.toString("latin1") }),
  });
};

/** Returns a function that sends responses in order, each after the previous one. */
const sendingTo = (client: Socket, proxy: ImapProxy): ((response: DamagedResponse) => void) => {
  let before: Promise<void> | undefined;
  const send = async ({ lines, lateBy = 0, cutAt }: DamagedResponse) => {
    if (lateBy > 0) await sleep(lateBy);
    const { pieces = Infinity } = proxy.rewrite;
    const text = lines.slice(0, cutAt);
    for (let at = 0; at < text.length; at += pieces) {
      client.write(text.slice(at, at + pieces), "latin1");
      if (pieces < text.length) await sleep(0);
    }
    if (cutAt !== undefined) client.end();
  };
  return (response) => {
    const isPlain = response.lateBy === undefined && response.cutAt === undefined && proxy.rewrite.pieces === undefined;
    if (before === undefined && isPlain) return void client.write(response.lines, "latin1");
    const sent = (before ?? Promise.resolve()).then(() => send(response));
    before = sent;
    void sent.then(() => {
      if (before === sent) before = undefined;
    });
  };
};

interface Pieces {
  /** Handles a line; returns false if the client will not send the literal that the line announces. */
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
