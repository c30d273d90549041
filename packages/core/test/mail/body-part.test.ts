import { expect, it } from "vitest";
import { type BodyPart, leavesOf } from "../../src/mail/BodyPart.ts";

const part = (section: string, type: string, ...parts: ReadonlyArray<BodyPart>): BodyPart => ({
  section,
  type,
  parameters: {},
  encoding: "7bit",
  size: 1,
  name: null,
  disposition: null,
  contentId: null,
  parts,
});

it("the leaves of a message are its parts without other parts, in order", () => {
  const message = part(
    "",
    "multipart/mixed",
    part("1", "multipart/alternative", part("1.1", "text/plain"), part("1.2", "text/html")),
    part("2", "message/rfc822"),
    part("3", "multipart/mixed"),
    part("4", "image/png"),
  );
  expect(leavesOf(message).map(({ section }) => section)).toEqual(["1.1", "1.2", "2", "4"]);
  expect(leavesOf(part("1", "text/plain"))).toEqual([part("1", "text/plain")]);
});
