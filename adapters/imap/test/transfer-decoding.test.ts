import { costGrowth } from "@postern/testkit";
import { describe, expect, it } from "vitest";
import { transferDecoder } from "../src/reading/transfer-decoding.ts";

const decoded = (encoding: string, ...pieces: ReadonlyArray<string>): string => {
  const decoder = transferDecoder(encoding);
  return Buffer.concat([...pieces.map((piece) => decoder.decode(Buffer.from(piece))), decoder.end()]).toString();
};

describe("transfer encodings", () => {
  it("drop white space before line ends, also where a piece ends within it", () => {
    expect(decoded("quoted-printable", "a \t\r\nb", "c  ", " \r\nd=20 ", "=\r\ne \t")).toBe("a\r\nbc\r\nd  e");
  });

  it.each(["quoted-printable", "base64"])("%s takes time linear in the size of untrusted text", async (encoding) => {
    for (const text of [" ", "\t ", "= ", "=", " \r", "=4"]) {
      const growth = await costGrowth(65_536, (size) => {
        const body = text.repeat(size / text.length);
        return () => decoded(encoding, body);
      });
      expect(growth).toBeLessThan(4);
    }
  });
});
