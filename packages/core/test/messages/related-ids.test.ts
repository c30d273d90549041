import { describe, expect, it } from "vitest";
import { answerFields, firstAndLatest, relatedIds } from "../../src/messages/related-ids.ts";

const header = (...lines: ReadonlyArray<string>) =>
  Uint8Array.from(`${lines.join("\r\n")}\r\n\r\n`, (character) => character.charCodeAt(0));
const ids = (count: number) => Array.from({ length: count }, (_, n) => `<${n}@x.test>`);

describe("related Message-IDs", () => {
  it("are the ids of the message itself, of the answered one and of earlier ones, each once", () => {
    expect(
      relatedIds(
        header(
          "Message-ID: <3@x.test>",
          "Subject: <no@x.test>",
          "IN-REPLY-TO: <2@x.test> (of Bob)",
          "References : <1@x.test>",
          " <2@x.test>",
          "X-References: <no@x.test>",
        ),
      ),
    ).toEqual(["<3@x.test>", "<2@x.test>", "<1@x.test>"]);
    expect(relatedIds(header("Subject: none"))).toEqual([]);
    expect(relatedIds(header("Message-ID: none"))).toEqual([]);
  });

  it("are 12 at most: the first, which every answer has, and the latest", () => {
    expect(firstAndLatest(ids(12))).toEqual(ids(12));
    expect(firstAndLatest(ids(13))).toEqual([ids(1)[0], ...ids(13).slice(2)]);
    expect(relatedIds(header(`References: ${ids(40).join(" ")}`))).toEqual([ids(1)[0], ...ids(40).slice(29)]);
  });
});

describe("the fields of an answer", () => {
  it("name the answered message after the references of that message (RFC 5322, 3.6.4)", () => {
    expect(
      answerFields(header("Message-ID: <3@x.test>", "In-Reply-To: <9@x.test>", "References: <1@x.test> <2@x.test>")),
    ).toEqual({ inReplyTo: "<3@x.test>", references: ["<1@x.test>", "<2@x.test>", "<3@x.test>"] });
  });

  it("name the only message in its References, rather than the one in its In-Reply-To", () => {
    const { references } = answerFields(
      header("Message-ID: <3@x.test>", "In-Reply-To: <9@x.test>", "References: <1@x.test>"),
    );
    expect(references).toEqual(["<1@x.test>", "<3@x.test>"]);
  });

  it("name the first message that it answers, if it refers to none", () => {
    expect(answerFields(header("Message-ID: <3@x.test>", "In-Reply-To: <1@x.test> <2@x.test>"))).toEqual({
      inReplyTo: "<3@x.test>",
      references: ["<1@x.test>", "<3@x.test>"],
    });
    expect(answerFields(header("Message-ID: <3@x.test>")).references).toEqual(["<3@x.test>"]);
  });

  it("name no message twice", () => {
    expect(answerFields(header("Message-ID: <1@x.test>", "References: <1@x.test> <2@x.test>")).references).toEqual([
      "<1@x.test>",
      "<2@x.test>",
    ]);
  });

  it("are empty without a Message-ID", () => {
    expect(answerFields(header("References: <1@x.test>"))).toEqual({ inReplyTo: null, references: [] });
    expect(answerFields(header("Message-ID: none"))).toEqual({ inReplyTo: null, references: [] });
  });

  it("have 100 references at most: the first and the latest", () => {
    const answered = (count: number) =>
      answerFields(header("Message-ID: <own@x.test>", `References: ${ids(count).join(" ")}`)).references;
    expect(answered(99)).toEqual([...ids(99), "<own@x.test>"]);
    expect(answered(100)).toEqual([ids(1)[0], ...ids(100).slice(2), "<own@x.test>"]);
  });
});
