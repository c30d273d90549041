import { assert, it } from "@effect/vitest";
import type { MessageStructureObject } from "imapflow";
import { attachmentsOf } from "../src/reading/attachments.ts";

const PARTS: ReadonlyArray<readonly [what: string, part: MessageStructureObject, is: boolean]> = [
  ["a text", { type: "text/plain" }, false],
  ["a text to be saved", { type: "text/plain", disposition: "attachment" }, true],
  ["a text with a file name", { type: "text/plain", dispositionParameters: { filename: "a.txt" } }, true],
  ["a text with a name", { type: "text/html", parameters: { name: "a.html" } }, true],
  ["a calendar beside the text", { type: "text/calendar" }, false],
  ["a picture", { type: "image/png" }, true],
  ["a picture shown in place", { type: "image/png", disposition: "inline" }, true],
  ["a picture the text refers to", { type: "image/png", id: "<a@b>" }, false],
  ["one shown in place", { type: "image/png", id: "<a@b>", disposition: "inline" }, false],
  ["one to be saved", { type: "image/png", id: "<a@b>", disposition: "attachment" }, true],
  ["one with a name", { type: "image/png", id: "<a@b>", parameters: { name: "a.png" } }, true],
  ["a message", { type: "message/rfc822", childNodes: [{ type: "image/png" }] }, true],
  ["a multipart with a name", { type: "multipart/mixed", parameters: { name: "x" } }, false],
  ["a type that cannot be read", { type: "/" }, false],
];

it.each(PARTS)("%s", (_, part, is) => {
  assert.strictEqual(attachmentsOf(part).length, is ? 1 : 0);
});

it("prefers the file name of the disposition and treats an empty name as missing", () => {
  const name = (part: Partial<MessageStructureObject>) => attachmentsOf({ type: "image/png", ...part })[0]?.name;
  assert.strictEqual(name({ parameters: { name: "b" }, dispositionParameters: { filename: "a" } }), "a");
  assert.strictEqual(name({ parameters: { name: "b" }, dispositionParameters: { filename: "" } }), "b");
  assert.strictEqual(name({ parameters: { name: "" } }), null);
});

it.each([1, 2, 3, 57, 58, 1_000, 57 * 100, 1_234_567])(
  "computes the size of %d bytes in base64 with an error of at most two",
  (bytes) => {
    const characters = Math.ceil(bytes / 3) * 4;
    const size = characters + 2 * (Math.ceil(characters / 76) - 1);
    const [attachment] = attachmentsOf({ type: "image/png", encoding: "base64", size });
    assert.approximately(attachment!.size, bytes, 2);
  },
);

it("returns no attachments for a message without a structure", () => {
  assert.deepStrictEqual(attachmentsOf(undefined), []);
});
