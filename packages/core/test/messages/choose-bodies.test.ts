import type { BodyPart } from "../../src/mail/index.ts";
import { describe, expect, it } from "vitest";
import { chooseBodies, encodedBodyOf, PREVIEW_BYTES, choosePreview } from "../../src/messages/choose-bodies.ts";

let sections = 0;
const partOf = (type: string, over: Partial<BodyPart> = {}): BodyPart => ({
  section: String(++sections),
  type,
  parameters: {},
  encoding: "7bit",
  size: 1,
  disposition: null,
  name: null,
  contentId: null,
  parts: [],
  ...over,
});
const multipart = (kind: string, ...parts: ReadonlyArray<BodyPart>) => partOf(`multipart/${kind}`, { parts });
const shown = (structure: BodyPart) => chooseBodies(structure).map(({ group, part }) => [group, part.type]);

describe("the texts that a reader of a message sees", () => {
  it("are the plain text and the HTML of an alternative, as one group", () => {
    const alternative = multipart("alternative", partOf("text/plain"), partOf("text/html"));
    expect(shown(alternative)).toEqual([
      [0, "text/plain"],
      [0, "text/html"],
    ]);
  });

  it("are groups of their own in a mixed message, in order", () => {
    expect(
      shown(
        multipart(
          "mixed",
          partOf("text/plain"),
          multipart("alternative", partOf("text/plain"), multipart("related", partOf("text/html"))),
          partOf("text/html"),
        ),
      ),
    ).toEqual([
      [0, "text/plain"],
      [1, "text/plain"],
      [1, "text/html"],
      [2, "text/html"],
    ]);
  });

  it("include no attachments, no files with a name and no other types", () => {
    expect(
      shown(
        multipart(
          "mixed",
          partOf("text/plain", { disposition: "attachment" }),
          partOf("text/html", { name: "page.html" }),
          partOf("text/calendar"),
          partOf("image/png"),
          partOf("text/plain", { disposition: "inline" }),
        ),
      ),
    ).toEqual([[0, "text/plain"]]);
  });

  it("are 50 at most", () => {
    expect(chooseBodies(multipart("mixed", ...Array.from({ length: 60 }, () => partOf("text/plain"))))).toHaveLength(
      50,
    );
  });

  it("are read down to 100 levels", () => {
    const nested = (levels: number): BodyPart =>
      levels === 0 ? partOf("text/plain") : multipart("mixed", nested(levels - 1));
    expect(chooseBodies(nested(100))).toHaveLength(1);
    expect(chooseBodies(nested(101))).toEqual([]);
  });
});

describe("the text to preview", () => {
  const plain = partOf("text/plain");
  const html = partOf("text/html");

  it("is the text of the wanted kind in the first group", () => {
    const alternative = multipart("alternative", html, plain);
    expect(choosePreview(alternative, "plain")?.part).toBe(plain);
    expect(choosePreview(alternative, "html")?.part).toBe(html);
  });

  it("is the first text if the first group has no plain one, but never another for HTML", () => {
    expect(choosePreview(multipart("mixed", html, plain), "plain")?.part).toBe(html);
    expect(choosePreview(multipart("mixed", plain, html), "html")).toBeNull();
  });

  it("is null if the message shows no text", () => {
    expect(choosePreview(partOf("image/png"), "plain")).toBeNull();
    expect(choosePreview(partOf("image/png"), "html")).toBeNull();
  });

  it("is read from 2 KiB of plain text or 32 KiB of HTML", () => {
    expect(PREVIEW_BYTES).toEqual({ plain: 2048, html: 32_768 });
  });

  it.each([
    ["text/html", "text/html"],
    ["text/plain", "text/plain"],
  ])("of type %s is decoded as %s", (type, decoded) => {
    const part = partOf(type, { encoding: "base64", parameters: { charset: "utf-8" } });
    const bytes = new Uint8Array([1]);
    expect(encodedBodyOf({ group: 3, part }, bytes)).toEqual({
      group: 3,
      type: decoded,
      parameters: { charset: "utf-8" },
      encoding: "base64",
      bytes,
    });
  });
});
