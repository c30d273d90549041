import { describe, expect, it } from "vitest";
import { messageTexts, readReturnedMessage } from "../../src/bounces/message-texts.ts";
import type { HeaderField } from "../../src/mail/index.ts";
import { nested, part } from "./message.ts";

const textsOf = (...lines: ReadonlyArray<string>) =>
  messageTexts({ headers: [], parts: [part("text/plain", lines.join("\n"))] });
const HEADER = ["Received: by mx", "From: Ann <ann@x.test>", "Subject: Plan"];
const FIELDS: ReadonlyArray<HeaderField> = [
  ["Received", "by mx"],
  ["From", "Ann <ann@x.test>"],
  ["Subject", "Plan"],
];

describe("the returned header in the text of a report", () => {
  it("ends at an empty line, and has its folded lines", () => {
    const texts = textsOf("bob@x.test failed", ...HEADER.slice(0, 2), "  and others", HEADER[2]!, "", "Note: no field");
    expect(texts.returnedHeaders).toEqual([FIELDS[0], ["From", "Ann <ann@x.test> and others"], FIELDS[2]]);
  });

  it("may be quoted and indented", () => {
    const texts = textsOf("bob@x.test failed", ...HEADER.map((line) => `>  ${line}`), ">", "Note: no field");
    expect(texts.returnedHeaders).toEqual(FIELDS);
    expect(texts.notice).toEqual(["bob@x.test failed"]);
  });

  it("gives way to a returned message that is a part of its own", () => {
    const parts = [part("text/plain", ["bob@x.test failed", ...HEADER].join("\n")), nested([["Subject", "part"]])];
    const texts = messageTexts({ headers: [], parts });
    expect(texts.returnedHeaders).toEqual([["Subject", "part"]]);
    expect(texts.notice).toEqual(["bob@x.test failed"]);
  });

  it("is not one field at the end of a text", () => {
    expect(textsOf("It failed for the user.", "To: bob@x.test")).toMatchObject({
      returnedHeaders: [],
      notice: ["It failed for the user.", "To: bob@x.test"],
    });
  });

  it("begins below a line of at most 159 characters that announces it", () => {
    const announcing = (length: number) =>
      textsOf("bob@x.test failed", "Original message".padEnd(length, "-"), "To: b");
    expect(announcing(159)).toMatchObject({ notice: ["bob@x.test failed"], returnedHeaders: [["To", "b"]] });
    expect(announcing(160)).toMatchObject({ returnedHeaders: [] });
  });

  it("is not announced by a line above which there is nothing, or below which there is no field", () => {
    expect(textsOf("Original message follows", "To: bob@x.test").returnedHeaders).toEqual([]);
    const lines = ["It failed.", "Reason: unknown", "Original message follows", "Hello Bob"];
    expect(textsOf(...lines)).toMatchObject({ notice: lines, returnedHeaders: [] });
    expect(textsOf("It failed.", "Original message follows", `${" ".repeat(9)}To: bob@x.test`)).toMatchObject({
      returnedHeaders: [],
    });
    expect(textsOf("It failed.", "Original message follows", `${" ".repeat(8)}To: bob@x.test`)).toMatchObject({
      returnedHeaders: [["To", "bob@x.test"]],
    });
  });

  it("begins at the first field, if a line below it announces something", () => {
    const texts = textsOf("bob@x.test failed", ...HEADER, "Original message follows", "To: b");
    expect(texts.notice).toEqual(["bob@x.test failed"]);
  });

  it("is followed by the notice, if nothing above it tells about a failure", () => {
    const below = ["", "It was not delivered to bob@x.test."];
    expect(textsOf("Dear sender,", "Original message follows", "", "From: Ann", ...below).notice).toEqual([
      "Dear sender,",
      ...below,
    ]);
    expect(textsOf("Dear sender,", "Original message follows", "From: Ann", ...below).notice).toEqual([
      "Dear sender,",
      ...below,
    ]);
  });

  it("is not followed by the notice, if an address or a failure stands above it", () => {
    const below = [...HEADER, "", "It was not delivered to bob@x.test."];
    expect(textsOf("For bob@x.test:", ...below).notice).toEqual(["For bob@x.test:"]);
    expect(textsOf("It could not be delivered", ...below).notice).toEqual(["It could not be delivered"]);
  });
});

describe("what is read of a report", () => {
  const returned = (notice: ReadonlyArray<string>, ...statuses: ReadonlyArray<string>) => {
    const parts = [
      part("text/plain", notice.join("\n")),
      ...statuses.map((status) => part("message/delivery-status", status)),
    ];
    const message = { headers: [], parts };
    return readReturnedMessage(message, messageTexts(message));
  };
  const lines = (count: number, ...more: ReadonlyArray<string>) => [...Array<string>(count).fill("line"), ...more];

  it("are 50 parts", () => {
    const parts = (count: number) => [...Array(count).fill(part("image/png", "")), part("text/plain", "It failed.")];
    expect(messageTexts({ headers: [], parts: parts(49) }).notice).toEqual(["It failed."]);
    expect(messageTexts({ headers: [], parts: parts(50) }).notice).toEqual([""]);
  });

  it("are 65536 characters of a part", () => {
    const parts = [part("message/delivery-status", "x".repeat(65_537))];
    expect(messageTexts({ headers: [], parts }).statuses).toEqual(["x".repeat(65_536)]);
  });

  it("are the ids in 400 lines of the notice and 200 lines of each status", () => {
    const id = "Message-ID: <1@x.test>";
    expect(returned(lines(399, id)).messageIds).toEqual(["<1@x.test>"]);
    expect(returned(lines(400, id)).messageIds).toEqual([]);
    expect(returned([], lines(199, id).join("\n")).messageIds).toEqual(["<1@x.test>"]);
    expect(returned([], lines(200, id).join("\n")).messageIds).toEqual([]);
    expect(returned([], id, "Message-ID: <2@x.test>").messageIds).toEqual(["<1@x.test>", "<2@x.test>"]);
  });

  it("is the id in the line below a label, but not below a labelled id", () => {
    expect(returned(["Message-ID:", "<1@x.test>", "<2@x.test>"]).messageIds).toEqual(["<1@x.test>"]);
    expect(returned(["Message-ID: <1@x.test>", "<2@x.test>"]).messageIds).toEqual(["<1@x.test>"]);
    expect(returned(["It failed.", "Message-ID:"]).messageIds).toEqual([]);
  });

  it("is the labelled subject in 200 lines of the notice", () => {
    expect(returned(lines(199, "Subject: Plan")).subject).toBe("Plan");
    expect(returned(lines(200, "Subject: Plan")).subject).toBeNull();
  });
});

describe("a refusal in the form of a receipt (RFC 5429)", () => {
  const textsOfReceipt = (...lines: ReadonlyArray<string>) =>
    messageTexts({
      headers: [],
      parts: [
        part("text/plain", lines.join("\n")),
        part("message/disposition-notification", "Final-Recipient: rfc822; bob@x.test"),
      ],
    });
  const before = (count: number) => Array<string>(count).fill("line of text");

  it("is no receipt, and its fields are a status", () => {
    expect(textsOfReceipt("Your message was automatically rejected.")).toMatchObject({
      hasReceipt: false,
      statuses: ["Final-Recipient: rfc822; bob@x.test"],
    });
  });

  it("says so in the first 40 lines", () => {
    expect(textsOfReceipt(...before(39), "It was automatically rejected.").hasReceipt).toBe(false);
    expect(textsOfReceipt(...before(40), "It was automatically rejected.").hasReceipt).toBe(true);
  });
});
