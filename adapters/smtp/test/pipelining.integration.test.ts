import { assert, describe, it } from "@effect/vitest";
import { CredentialVault } from "@postern/core/auth";
import { MailTransport, type RecipientReplies } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { mailServersAt, rawServer } from "@postern/testkit";
import { Effect, Layer, Redacted, Stream } from "effect";
import { layer } from "../src/index.ts";
import { Vault } from "./transport-on-scripted-smtp.ts";

const JANE = AccountId("jane@x.test");
const ENVELOPE = /^(MAIL|RCPT|DATA|QUIT|\.$)/;

/** A server that waits for more input before it replies. Records the pieces in which the commands of a message arrive. */
const patientServer = Effect.fnUntraced(function* (
  extensions: ReadonlyArray<string>,
  {
    replyTo = () => undefined,
    keepsPipelined = true,
  }: { readonly replyTo?: (line: string) => string | undefined; readonly keepsPipelined?: boolean } = {},
) {
  const pieces: Array<ReadonlyArray<string>> = [];
  const server = yield* rawServer((socket) => {
    let inMessage = false;
    socket.write("220 patient.test\r\n");
    socket.on("data", (bytes) => {
      const lines = bytes.toString().split("\r\n").slice(0, -1);
      if (inMessage && !lines.includes(".")) return;
      const commands = inMessage ? ["."] : lines;
      pieces.push(commands.filter((line) => ENVELOPE.test(line)));
      const replies = (keepsPipelined ? commands : commands.slice(0, 1)).map((line) => {
        const ehlo = extensions.map((name, n) => `250${n === extensions.length - 1 ? " " : "-"}${name}`).join("\r\n");
        return replyTo(line) ?? (line.startsWith("EHLO") ? ehlo : line === "DATA" ? "354 go ahead" : "250 ok");
      });
      inMessage = commands.at(-1) === "DATA" && replies.at(-1)!.startsWith("354");
      socket.write(replies.map((reply) => `${reply}\r\n`).join(""));
    });
  });
  return { port: server.port, pieces: () => pieces.filter((piece) => piece.length > 0), received: server.received };
});

/** Sends a message to each of these groups of recipients, one after the other; returns the last outcome. */
const sendTo = Effect.fnUntraced(function* (port: number, ...groups: ReadonlyArray<ReadonlyArray<string>>) {
  const marked: Array<RecipientReplies> = [];
  const outcome = yield* Effect.gen(function* () {
    const password = Redacted.make("right");
    yield* (yield* CredentialVault).keep(JANE, { _tag: "Password", username: JANE, password });
    const message = Stream.make(Buffer.from("Subject: x\r\n\r\nHi\r\n"));
    const mark = (replies: RecipientReplies) => Effect.sync(() => marked.push(replies) > 0);
    const transport = yield* MailTransport;
    const outcomes = yield* Effect.forEach(groups, (recipients) =>
      transport.deliver(JANE, { from: JANE, recipients, size: 100, envelopeId: "out_1", message }, mark),
    );
    return outcomes.at(-1)!;
  }).pipe(
    Effect.provide(
      layer({ requireAuth: false, timeouts: { command: "1 second" } }).pipe(
        Layer.provide(mailServersAt({ host: "127.0.0.1", port })),
        Layer.provideMerge(Vault),
      ),
    ),
  );
  return { outcome, marked };
});

describe("the commands of a message", () => {
  it.live("go out in one write where the server offers PIPELINING, and the dot after the mark", () =>
    Effect.gen(function* () {
      const server = yield* patientServer(["patient.test", "PIPELINING"], {
        replyTo: (line) => (line.includes("<b@y.test>") ? "550 5.1.1 unknown" : undefined),
      });
      const { outcome, marked } = yield* sendTo(server.port, ["a@y.test", "b@y.test"]);
      assert.strictEqual(outcome._tag, "Answered");
      assert.deepStrictEqual(server.pieces().slice(0, 2), [
        ["MAIL FROM:<jane@x.test>", "RCPT TO:<a@y.test>", "RCPT TO:<b@y.test>", "DATA"],
        ["."],
      ]);
      assert.deepStrictEqual(
        marked.map((replies) => [replies.get("a@y.test")?.code, replies.get("b@y.test")?.code]),
        [[250, 550]],
      );
    }).pipe(Effect.scoped),
  );

  it.live("may outnumber the replies that may be outstanding", () =>
    Effect.gen(function* () {
      const server = yield* patientServer(["patient.test", "PIPELINING"]);
      const recipients = Array.from({ length: 100 }, (_, n) => `r${n}@y.test`);
      const { outcome, marked } = yield* sendTo(server.port, recipients);
      assert.strictEqual(outcome._tag, "Answered");
      assert.strictEqual(marked[0]?.size, 100);
    }).pipe(Effect.scoped),
  );

  it.live("go out one at a time after the server lost the commands that followed MAIL", () =>
    Effect.gen(function* () {
      const server = yield* patientServer(["lossy.test", "PIPELINING"], { keepsPipelined: false });
      const { outcome } = yield* sendTo(server.port, ["a@y.test"], ["a@y.test"]);
      assert.strictEqual(outcome._tag, "Answered");
      assert.deepStrictEqual(
        server.pieces().map((piece) => piece.map((line) => line.split(" ", 1)[0])),
        [["MAIL", "RCPT", "DATA"], ["MAIL"], ["RCPT"], ["DATA"], ["."]],
      );
    }).pipe(Effect.scoped),
  );

  it.live("go out one at a time without PIPELINING", () =>
    Effect.gen(function* () {
      const server = yield* patientServer(["patient.test"]);
      assert.strictEqual((yield* sendTo(server.port, ["a@y.test"])).outcome._tag, "Answered");
      assert.deepStrictEqual(server.pieces().slice(0, 4), [
        ["MAIL FROM:<jane@x.test>"],
        ["RCPT TO:<a@y.test>"],
        ["DATA"],
        ["."],
      ]);
    }).pipe(Effect.scoped),
  );

  for (const [title, refuses, tag] of [
    ["every recipient", "RCPT", "RecipientsRefused"],
    ["the sender", "MAIL", "SenderRefused"],
  ] as const) {
    it.live(`are followed by no dot if the server refuses ${title} but accepts DATA`, () =>
      Effect.gen(function* () {
        const server = yield* patientServer(["patient.test", "PIPELINING"], {
          replyTo: (line) => (line.startsWith(refuses) ? "550 5.7.1 no" : undefined),
        });
        const { outcome, marked } = yield* sendTo(server.port, ["a@y.test"]);
        assert.strictEqual(outcome._tag, tag);
        assert.lengthOf(marked, 0);
        yield* Effect.sleep("50 millis");
        assert.notMatch(server.received(), /^\.\r\n/m);
      }).pipe(Effect.scoped),
    );
  }
});
