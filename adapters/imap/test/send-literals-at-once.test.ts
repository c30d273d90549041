import { expect, it } from "vitest";
import type { ImapFlow } from "imapflow";
import { sendLiteralsAtOnce } from "../src/wire/send-literals-at-once.ts";

/** Returns the bytes that a client writes for a command with these parts if the server never sends a continuation. */
const writtenFor = (capability: string, [first, ...others]: ReadonlyArray<string>) => {
  const written: Array<string> = [];
  const commandParts = others.map((part) => Buffer.from(part));
  const client = {
    capabilities: new Map([[capability, true]]),
    commandParts,
    write: (chunk: Buffer) => written.push(chunk.toString() + (commandParts.length === 0 ? "\r\n" : "")),
  };
  sendLiteralsAtOnce(client as unknown as ImapFlow);
  client.write(Buffer.from(first!));
  return written.join("");
};

it("sends a literal with its command if the server accepts that", () => {
  expect(writtenFor("LITERAL+", ["A1 APPEND Sent {5}\r\n", "Hello"])).toBe("A1 APPEND Sent {5+}\r\nHello\r\n");
  expect(writtenFor("LITERAL+", ["A1 X {1}\r\n", "a {2}\r\n", "bc"])).toBe("A1 X {1+}\r\na {2+}\r\nbc\r\n");
});

it("otherwise waits for the server", () => {
  expect(writtenFor("LITERAL-", ["A1 APPEND Sent {5}\r\n", "Hello"])).toBe("A1 APPEND Sent {5}\r\n");
  expect(writtenFor("LITERAL+", ["A1 NOOP"])).toBe("A1 NOOP\r\n");
});
