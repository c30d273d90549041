import type { Socket } from "node:net";
import { assert, describe, it } from "@effect/vitest";
import { CredentialVault, type MailLogin } from "@postern/core/auth";
import type { MailboxTree } from "@postern/core/folders";
import { MailServerError } from "@postern/core/mail";
import type { MailboxReader } from "@postern/core/messages";
import { InboxWatch } from "@postern/core/watch";
import { layer as imap } from "@postern/imap";
import { mailServersAt, rawServer } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";
import { CREDENTIAL, JANE, list, signIn, view } from "./scripted-account.ts";

/** Writes a line until the connection ends. */
const pour = (socket: Socket, line: string) => {
  const chunk = line.repeat(2_000);
  const go = (): void => {
    if (socket.destroyed) return;
    if (socket.write(chunk)) setImmediate(go);
    else socket.once("drain", go);
  };
  go();
};

const CAPABILITIES = "IMAP4rev1 IDLE";

const answerTo = (command: string): string => {
  if (command === "CAPABILITY") return `* CAPABILITY ${CAPABILITIES}\r\n`;
  if (command.startsWith("LIST")) return '* LIST () "/" INBOX\r\n';
  if (/^(SELECT|EXAMINE)/.test(command)) return "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 2] next\r\n";
  return command.startsWith("STATUS") ? "* STATUS INBOX (MESSAGES 1 UNSEEN 0 UIDNEXT 2 UIDVALIDITY 7)\r\n" : "";
};

/** A server that sends `line` endlessly after a matching command, or from the start if no command is given. */
const flooding = (line: string, after?: RegExp) =>
  rawServer((socket) => {
    socket.write(`* OK [CAPABILITY ${CAPABILITIES}] ready\r\n`);
    if (after === undefined) return pour(socket, line);
    let [rest, isPouring] = ["", false];
    socket.on("data", (bytes) => {
      const lines = (rest + bytes.toString("latin1")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const [tag, ...words] = text.split(" ");
        const command = words.join(" ");
        if (isPouring) return;
        isPouring = after.test(command);
        if (isPouring) return pour(socket, line);
        if (command === "IDLE") socket.write("+ idling\r\n");
        else socket.write(`${answerTo(command)}${tag} OK done\r\n`);
      }
    });
  });

const portsOver = Effect.fnUntraced(function* (port: number) {
  const ports = yield* Layer.build(
    imap().pipe(Layer.provide(mailServersAt({ host: "127.0.0.1", port })), Layer.provideMerge(vaultInMemory)),
  );
  yield* Effect.provide(
    Effect.flatMap(CredentialVault, (vault) => vault.keep(JANE, CREDENTIAL)),
    ports,
  );
  return ports;
});

const reasonOf = <E>(failing: Effect.Effect<unknown, E>) =>
  Effect.map(Effect.flip(failing), (error) => (error instanceof MailServerError ? error.reason : error));

const SEEN = { uidValidity: 7, uidNext: 2, highestModSeq: null };

const watch = Effect.scoped(
  Effect.gen(function* () {
    const inbox = yield* (yield* InboxWatch).open(JANE, "watch");
    for (;;) {
      yield* inbox.changed;
      yield* inbox.poll(SEEN);
    }
  }),
);

/** Cases: the place of the flood, its line, the command before it, and the request that meets it. */
const TRIALS: ReadonlyArray<
  readonly [
    string,
    string,
    RegExp | undefined,
    Effect.Effect<unknown, unknown, MailLogin | MailboxReader | MailboxTree>,
  ]
> = [
  ["in the greeting", "* OK hello\r\n", undefined, signIn],
  ["as empty lines", "\r\n", undefined, signIn],
  ["as a line without an end", "* OK hello", undefined, signIn],
  ["as literals of one response", "{0}\r\n", /^LOGIN/, signIn],
  ["as continuations of a sign-in", "+ AAAA\r\n", /^LOGIN/, signIn],
  ["as folders", '* LIST (\\HasNoChildren) "/" folder\r\n', /^LIST "" "?\*/, list],
  ["as counts of messages", "* 2 EXISTS\r\n", /^(SELECT|EXAMINE)/, view],
];

describe("a server that sends more than was requested", () => {
  for (const [where, line, after, act] of TRIALS) {
    it.live(`is closed with a specific cause: ${where} [S10.4-8]`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* flooding(line, after);
          const ports = yield* portsOver(server.port);
          const reason = reasonOf(Effect.provide(act, ports));
          assert.strictEqual(yield* reason, "flood");
          assert.strictEqual(yield* reason, "flood", "waits before the next one");
          assert.strictEqual(server.connections(), 1);
        }),
      ),
    );
  }

  it.live("ends a watch that waits in IDLE", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* flooding("* 2 EXISTS\r\n", /^IDLE/);
        const ports = yield* portsOver(server.port);
        assert.strictEqual(yield* reasonOf(Effect.provide(watch, ports)), "flood");
        assert.strictEqual(server.connections(), 1);
      }),
    ),
  );
});
