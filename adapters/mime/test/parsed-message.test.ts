import { MAX_NESTING, MAX_PART_CHARS, type ParsedMessage } from "@postern/core/mail";
import { describe, expect, it } from "vitest";
import { parsedMessage } from "../src/index.ts";

const parse = (text: string) => parsedMessage(Buffer.from(text.replaceAll("\n", "\r\n"), "latin1"));

const nested = (depth: number): string =>
  depth === 0
    ? "Subject: innermost\n\nhello\n"
    : `Subject: level ${depth}\nContent-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\nContent-Type: message/rfc822\n\n${nested(depth - 1)}\n--b${depth}--\n`;

const depthOf = (message: ParsedMessage): number =>
  1 + Math.max(0, ...message.parts.map((part) => (part.message === null ? 0 : depthOf(part.message))));

describe("parsedMessage", () => {
  it("keeps fields in order, unfolded, decoded and with repetitions", async () => {
    const { headers } = await parse(
      "Received: one\nReceived: two\nSubject: =?utf-8?Q?Unzustellbar=3A_Gr=C3=BC=C3=9Fe?=\n  folded\n\nx\n",
    );
    expect(headers).toEqual([
      ["Received", "one"],
      ["Received", "two"],
      ["Subject", "Unzustellbar: Grüße  folded"],
    ]);
  });

  it("decodes transfer encodings and charsets", async () => {
    const japanese = await parse("Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B08@h\x1b(B\n");
    expect(japanese.parts).toMatchObject([{ type: "text/plain", text: "宛先\n" }]);
    const russian = await parse(
      "Content-Type: text/plain; charset=windows-1251\nContent-Transfer-Encoding: base64\n\nz/Do4uXy\n",
    );
    expect(russian.parts[0]?.text.trim()).toBe("Привет");
  });

  it("returns a report's parts and the header of the returned message", async () => {
    const { parts } = await parse(
      "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nnotice\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n--b\nContent-Type: message/rfc822\n\nSubject: sent\n\nbody\n--b--\n",
    );
    expect(parts.map(({ type }) => type)).toEqual(["text/plain", "message/delivery-status", "message/rfc822"]);
    expect(parts[1]?.text).toContain("Reporting-MTA: dns; x");
    expect(parts[2]?.message?.headers).toEqual([["Subject", "sent"]]);
  });

  it("decodes the words of a delivery status", async () => {
    const { parts } = await parse(
      "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; =?utf-8?Q?j=C3=B6rg?=@example.com\nAction: failed\n\n--b--\n",
    );
    expect(parts[0]?.text).toContain("rfc822; jörg@example.com\n");
  });

  it("returns the text of a multipart without its boundary", async () => {
    const { parts } = await parse("Content-Type: multipart/report\n\n--b\n\nundelivered\n--b--\n");
    expect(parts).toMatchObject([{ type: "text/plain" }]);
    expect(parts[0]?.text).toContain("undelivered");
  });

  it("reads the first of a million lines, in seconds", async () => {
    const status = "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n";
    const lines = "--b\nContent-Type: text/plain\n\n" + "x\n".repeat(1_000_000);
    const started = performance.now();
    const { parts } = await parse(`Content-Type: multipart/report; boundary=b\n\n${status}${lines}--b--\n`);
    expect(parts.find(({ type }) => type === "message/delivery-status")?.text).toContain("Reporting-MTA: dns; x");
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("limits depth and text", async () => {
    expect(depthOf(await parse(nested(8)))).toBe(MAX_NESTING + 1);
    const { parts } = await parse(`Content-Type: text/plain\n\n${"x".repeat(3 * MAX_PART_CHARS)}\n`);
    expect(parts[0]?.text.length).toBe(MAX_PART_CHARS);
  });
});
