import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { Effect, type Scope } from "effect";

/** An answer: untagged lines without `* ` and the tagged line; or silence; or the end of the connection. */
export type Answer = ReadonlyArray<string> | "silence" | "hang up";

export interface Script {
  readonly greeting?: string | "silence";
  readonly capabilities?: string;
  /** Returns the answer to a command (without its tag), or undefined for the default one. */
  readonly answer?: (command: string) => Answer | undefined | Promise<Answer>;
}

export interface ScriptedServer {
  readonly port: number;
  readonly commands: Array<string>;
  /** The number of writes received; commands that a client sends in one write count once. */
  writes: number;
  /** Connections open now. */
  open: number;
  mostOpen: number;
}

/** A scripted IMAP server with one empty INBOX, for behaviour that real servers do not show on request. */
export const scriptedServer = ({
  greeting = "OK ready",
  capabilities = "IMAP4rev1",
  answer = () => undefined,
}: Script): Effect.Effect<ScriptedServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>();
    const commands: Array<string> = [];

    const usual = (command: string): Answer => {
      if (command === "CAPABILITY") return [`CAPABILITY ${capabilities}`, "OK"];
      if (command.startsWith('LIST "" ""')) return ['LIST (\\Noselect) "/" ""', "OK"];
      if (command.startsWith("LIST")) return ['LIST () "/" INBOX', "OK"];
      if (command.startsWith("SELECT")) return ["0 EXISTS", "OK [UIDVALIDITY 7] valid", "OK [READ-WRITE] selected"];
      if (command.startsWith("STATUS")) return ["STATUS INBOX (MESSAGES 0 UNSEEN 0 UIDNEXT 1 UIDVALIDITY 7)", "OK"];
      return ["OK"];
    };

    const converse = (socket: Socket) => {
      sockets.add(socket);
      state.open = sockets.size;
      state.mostOpen = Math.max(state.mostOpen, state.open);
      socket.on("close", () => {
        sockets.delete(socket);
        state.open = sockets.size;
      });
      socket.on("error", () => socket.destroy());
      socket.on("data", () => void state.writes++);
      if (greeting !== "silence") socket.write(`* ${greeting}\r\n`);
      const lines = createInterface({ input: socket });
      // The reader of lines repeats the errors of its input.
      lines.on("error", () => {});
      let before: Promise<unknown> = Promise.resolve();
      const reply = async (line: string) => {
        const [tag, ...words] = line.split(" ");
        const command = words.join(" ");
        commands.push(command);
        const said = (await answer(command)) ?? usual(command);
        if (said === "silence") return;
        if (said === "hang up") return socket.destroy();
        socket.write([...said.slice(0, -1).map((text) => `* ${text}`), `${tag} ${said.at(-1)}`, ""].join("\r\n"));
      };
      lines.on("line", (line) => void (before = before.then(() => reply(line))));
    };

    const server = createServer(converse).listen(0, "127.0.0.1");
    yield* Effect.promise(() => once(server, "listening"));
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        for (const socket of sockets) socket.destroy();
        server.close();
        await once(server, "close");
      }),
    );
    const address = server.address();
    const state: ScriptedServer = {
      port: typeof address === "object" && address !== null ? address.port : 0,
      commands,
      writes: 0,
      open: 0,
      mostOpen: 0,
    };
    return state;
  });
