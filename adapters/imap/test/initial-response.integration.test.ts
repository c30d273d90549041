import { createInterface } from "node:readline";
import { assert, it } from "@effect/vitest";
import { layer as imap } from "@postern/imap";
import { mailServersAt, rawServer } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";
import { CREDENTIAL, signIn } from "./scripted-account.ts";

const RESPONSE = Buffer.from(`\0${CREDENTIAL.username}\0correct`).toString("base64");
const STATUS = "* STATUS INBOX (MESSAGES 0 UIDNEXT 1 UIDVALIDITY 7)\r\n";

/** A server with AUTHENTICATE PLAIN that asks for the response, or accepts it with the command. */
const plainServer = (capabilities: string, asks: boolean) =>
  rawServer((socket) => {
    let waiting: string | undefined;
    socket.write(`* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN${capabilities}] ready\r\n`);
    const lines = createInterface({ input: socket });
    // The reader of lines repeats the errors of its input.
    lines.on("error", () => {});
    lines.on("line", (line) => {
      const [tag = "", verb, , response] = line.split(" ");
      const finish = (by: string, given: string) => socket.write(`${by} ${given === RESPONSE ? "OK" : "NO"} done\r\n`);
      if (waiting !== undefined) {
        finish(waiting, line);
        waiting = undefined;
      } else if (verb !== "AUTHENTICATE") socket.write(`${verb === "STATUS" ? STATUS : ""}${tag} OK done\r\n`);
      else if (response !== undefined && !asks) finish(tag, response);
      else {
        waiting = tag;
        socket.write("+ \r\n");
      }
    });
  });

for (const [what, capabilities, asks, commands] of [
  ["with the command, if the server takes it there", " SASL-IR", false, [/^\w+ AUTHENTICATE PLAIN \S+$/]],
  ["when asked, of a server that does not announce it", "", true, [/^\w+ AUTHENTICATE PLAIN$/, /^\S+$/]],
  ["again, to a server that asks all the same", " SASL-IR", true, [/^\w+ AUTHENTICATE PLAIN \S+$/, /^\S+$/]],
] as const) {
  it.live(`sends name and password ${what}`, () =>
    Effect.gen(function* () {
      const server = yield* plainServer(capabilities, asks);
      const ports = imap({}).pipe(
        Layer.provide(mailServersAt({ host: "127.0.0.1", port: server.port })),
        Layer.provideMerge(vaultInMemory),
      );
      assert.deepInclude(yield* Effect.provide(signIn, ports), { uidNext: 1 });
      const sent = server.received().split("\r\n");
      for (const [n, command] of commands.entries()) assert.match(sent[n]!, command);
      assert.match(sent[commands.length]!, /^\w+ (CAPABILITY|NAMESPACE)/);
    }).pipe(Effect.scoped),
  );
}
