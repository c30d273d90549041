import { describe, expect, it } from "vitest";
import { failedRecipients, type NoticeContext } from "../../src/bounces/failed-recipients.ts";
import type { Family } from "../../src/bounces/families/Family.ts";

const contextOf = (notice: ReadonlyArray<string>, over: Partial<NoticeContext> = {}): NoticeContext => ({
  notice,
  family: null,
  declared: [],
  returnedTo: [],
  excluded: new Set(),
  ...over,
});
const addressesIn = (notice: ReadonlyArray<string>, over: Partial<NoticeContext> = {}) =>
  failedRecipients(contextOf(notice, over)).map(({ address }) => address);

const filler = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`);

describe("the recipients that a notice declares in a field", () => {
  it("are all reported, once each and as first written, whatever the text names", () => {
    expect(
      addressesIn(["carl@x.test: user unknown"], { declared: ["Bob@x.test", "bob@x.test", "ann@x.test"] }),
    ).toEqual(["Bob@x.test", "ann@x.test"]);
  });

  it("are 50 at most", () => {
    const declared = Array.from({ length: 60 }, (_, n) => `u${n}@x.test`);
    expect(addressesIn([], { declared })).toEqual(declared.slice(0, 50));
  });
});

describe("the recipients that a notice names in its text", () => {
  it.each([
    ["a line of its own", ["bob@x.test"]],
    ["a line with the reason behind it", ["<bob@x.test>: user unknown"]],
    ["a line with dots behind it", ["bob@x.test... no such user"]],
    ["a numbered line", ["1. bob@x.test - mailbox is full"]],
    ["a line with a reply before it", ["550 bob@x.test, sorry"]],
    ["a line with spaces and the reason behind it", ["bob@x.test   is gone"]],
    ["a line with a date behind it", ["bob@x.test on Mon, 2 Nov 2026"]],
    ["a label", ["Your message was not delivered to recipient: bob@x.test because of it"]],
  ])("are the addresses in %s, and not one mentioned in a sentence about a failure", (_, lines) => {
    expect(addressesIn([...lines, "", "It could not be delivered, says carl@x.test to all."])).toEqual(["bob@x.test"]);
  });

  it("are the addresses near words of failure, and not one mentioned elsewhere", () => {
    const failure = "Delivery of mail that you sent with bob@x.test failed.";
    expect(addressesIn([failure, ...filler(3), "We like carl@x.test a lot."])).toEqual(["bob@x.test"]);
    for (const around of [
      ["Delivery failed", "This is about bob@x.test as you know."],
      ["This is about bob@x.test as you know.", "Delivery failed"],
      ["This is 550 about bob@x.test as you know."],
      ["This is about bob@x.test as you know, mailbox is full."],
    ])
      expect(addressesIn([...around, ...filler(3), "We like carl@x.test a lot."])).toEqual(["bob@x.test"]);
  });

  it("are the addresses near words of failure that the message was sent to", () => {
    const notice = ["Delivery to bob@x.test and to our carl@x.test as you know it failed."];
    expect(addressesIn(notice)).toEqual(["bob@x.test", "carl@x.test"]);
    expect(addressesIn(notice, { returnedTo: ["CARL@x.test"] })).toEqual(["carl@x.test"]);
    expect(addressesIn(notice, { returnedTo: ["dora@x.test"] })).toEqual(["bob@x.test", "carl@x.test"]);
  });

  it("are the addresses in lines of their own, even if the message was sent to another", () => {
    expect(addressesIn(["bob@x.test", "carl@x.test"], { returnedTo: ["carl@x.test"] })).toEqual([
      "bob@x.test",
      "carl@x.test",
    ]);
  });

  it("are the only address of the text; of several addresses, only those that the message was sent to", () => {
    expect(addressesIn(["We like bob@x.test a lot."], { returnedTo: ["dora@x.test"] })).toEqual(["bob@x.test"]);
    expect(addressesIn(["We like bob@x.test and BOB@x.test a lot."], { returnedTo: ["dora@x.test"] })).toEqual([
      "bob@x.test",
    ]);
    const several = ["We like bob@x.test and carl@x.test a lot."];
    expect(addressesIn(several)).toEqual(["bob@x.test", "carl@x.test"]);
    expect(addressesIn(several, { returnedTo: ["dora@x.test"] })).toEqual(["dora@x.test"]);
    expect(addressesIn(several, { returnedTo: ["dora@x.test", "emil@x.test"] })).toEqual([]);
    expect(addressesIn(several, { returnedTo: ["carl@x.test", "emil@x.test"] })).toEqual(["carl@x.test"]);
  });

  it("are the recipient that the message was sent to, if the notice names none", () => {
    const [found] = failedRecipients(contextOf(filler(60), { returnedTo: ["dora@x.test"] }));
    expect(found).toEqual({ address: "dora@x.test", detail: filler(40).join("\n") });
    expect(addressesIn(filler(3), { returnedTo: ["dora@x.test", "emil@x.test"] })).toEqual([]);
    expect(addressesIn(filler(3))).toEqual([]);
  });

  it.each([
    ["the sender and the reporter", "ann@x.test: user unknown"],
    ["the postmaster", "postmaster@x.test: user unknown"],
    ["help", "Helpdesk@x.test"],
    ["a sender by its label", "From: carl@x.test"],
    ["a message id", "Message-ID: see <1.carl@x.test> unknown"],
    ["a link", "https://x.test/?user=carl@x.test"],
  ])("are never %s", (_, line) => {
    expect(addressesIn([line], { excluded: new Set(["ann@x.test"]) })).toEqual([]);
  });

  it("are the addresses after the phrase of the mail system's family; several only if commas separate them", () => {
    const line = /gave up on:/;
    const family: Family = { name: "f", recognisedBy: {}, recipient: { line, example: "" }, example: "" };
    expect(addressesIn(["gave up on: bob@x.test, carl@x.test"], { family })).toEqual(["bob@x.test", "carl@x.test"]);
    expect(addressesIn(["gave up on: <bob@x.test>; carl@x.test"], { family })).toEqual(["bob@x.test", "carl@x.test"]);
    expect(addressesIn(["gave up on: bob@x.test via carl@x.test"], { family })).toEqual(["bob@x.test"]);
    expect(addressesIn(["gave up on: bob@x.test", "carl@x.test"], { family })).toEqual(["bob@x.test"]);
    expect(addressesIn(["ann@x.test gave up on: bob@x.test"], { family })).toEqual(["bob@x.test"]);
  });

  it("are taken from the reply in a transcript, not from its command", () => {
    expect(addressesIn([">>> RCPT TO:<bob@x.test>", "<carl@x.test>: user unknown"])).toContain("carl@x.test");
    expect(addressesIn([">>> MAIL with bob@x.test as is", "carl@x.test"])).toEqual(["carl@x.test"]);
  });
});

describe("the detail of a recipient", () => {
  const detailOf = (notice: ReadonlyArray<string>, address = "bob@x.test", over: Partial<NoticeContext> = {}) =>
    failedRecipients(contextOf(notice, over)).find((one) => one.address === address)?.detail;

  it("is the lines from its name to the next recipient, without its address", () => {
    const notice = ["Hello", "bob@x.test", "550 mailbox is full", "carl@x.test", "550 user unknown"];
    expect(detailOf(notice)).toBe("\n550 mailbox is full");
    expect(detailOf(notice, "carl@x.test")).toBe("\n550 user unknown");
  });

  it("is 14 lines at most", () => {
    expect(detailOf(["bob@x.test: user unknown", ...filler(30)])).toBe([": user unknown", ...filler(13)].join("\n"));
  });

  it("has the lines of four later mentions too, none twice", () => {
    const mention = "bob@x.test";
    expect(detailOf([mention, "550 no", mention, ...filler(13), mention, "the end"])).toBe(
      ["", "550 no", "", ...filler(11), "", "the end"].join("\n").replace("\n\nthe end", "\n\nthe end"),
    );
  });

  it("has the beginning of the notice too, if its own lines give no reason", () => {
    const notice = ["Your mailbox is full", ...filler(90), "bob@x.test", "sorry"];
    expect(detailOf(notice)).toBe(["", "sorry", ...notice.slice(0, 80)].join("\n"));
  });

  it.each([["550 it is"], ["the code is 5.7.1"], ["mailbox is full"]])("is enough with the reason %j", (reason) => {
    expect(detailOf(["Hello", "bob@x.test", reason])).toBe(`\n${reason}`);
  });
});
