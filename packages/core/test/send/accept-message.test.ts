import { Result } from "effect";
import { describe, expect, it } from "vitest";
import { acceptMessage, answeringMessage, encodedSize } from "../../src/send/accept-message.ts";
import type { MessageToSend } from "../../src/send/MessageToSend.ts";
import { AccountId } from "../../src/shared/index.ts";

const ME = AccountId("me@x.test");
const NOW = 1_900_000_000_000;
const person = (address: string) => ({ name: "", address });

const WANTED: MessageToSend = {
  to: [person("a@y.test"), person("b@y.test")],
  cc: [person("a@y.test")],
  bcc: [person("c@y.test")],
  replyTo: [],
  subject: "S",
  text: "T",
  html: null,
  inReplyTo: null,
  references: [],
  headers: [["X-A", "1"]],
  attachments: [],
  trackOpens: false,
  sendAt: null,
  expiresAfter: null,
};
const SENDER = { from: { name: "Sales", address: "sales@x.test" }, replyTo: [person("desk@x.test")] };
const FILE = { uploadId: "upl_1", name: "a.csv", type: "text/csv", size: 100, contentId: null };

const accept = (wanted: Partial<MessageToSend> = {}, size = 100) =>
  acceptMessage(ME, { ...WANTED, ...wanted }, SENDER, [{ ...FILE, size }], {
    id: "out_1",
    trackingId: "trk_1",
    baseUrl: "https://mail.x.test",
    now: NOW,
    author: null,
  });
const accepted = (wanted: Partial<MessageToSend> = {}) => Result.getOrThrow(accept(wanted));

describe("an accepted message", () => {
  it("has an envelope with each address once, and the account as its sender", () => {
    const { message, contents, tracked } = accepted();
    expect(message).toEqual({
      id: "out_1",
      account: ME,
      messageId: "<out_1@x.test>",
      createdAt: NOW,
      from: ME,
      to: ["a@y.test", "b@y.test"],
      cc: ["a@y.test"],
      subject: "S",
      recipients: ["a@y.test", "b@y.test", "c@y.test"].map((address) => ({ address, state: "queued", reply: null })),
      step: 0,
      attemptAt: NOW,
      scheduledFor: null,
      paused: null,
      failure: null,
      copy: { state: "owed", step: 0, at: null },
    });
    const { attachments: _, trackOpens: __, sendAt: ___, expiresAfter: ____, ...written } = WANTED;
    const header = [
      SENDER.from,
      WANTED.to,
      WANTED.cc,
      WANTED.bcc,
      SENDER.replyTo,
      "S",
      null,
      [],
      WANTED.headers,
      [FILE],
    ];
    expect(contents).toEqual({
      ...written,
      ...SENDER,
      attachments: [FILE],
      size: encodedSize(["T", ""], JSON.stringify(header), [FILE]),
    });
    expect(tracked).toBeNull();
  });

  it("answers to the addresses that the request names, and else to those of the sender", () => {
    expect(accepted().contents.replyTo).toEqual([person("desk@x.test")]);
    expect(accepted({ replyTo: [person("r@x.test")] }).contents.replyTo).toEqual([person("r@x.test")]);
  });

  it("waits for its time, and expires as it says", () => {
    const { message } = accepted({ sendAt: NOW + 9, expiresAfter: 5 } as Partial<MessageToSend>);
    expect(message).toMatchObject({ createdAt: NOW, attemptAt: NOW + 9, scheduledFor: NOW + 9, expiresAfter: 5 });
  });

  it("is tracked by an image in its HTML, and by its recipient if it has only one", () => {
    const html = "<p>x</p>";
    const { contents, tracked } = accepted({ html, trackOpens: true });
    expect(contents.html).toContain("https://mail.x.test/t/trk_1.gif");
    expect(tracked).toEqual({
      id: "trk_1",
      account: ME,
      messageId: "<out_1@x.test>",
      recipient: null,
      opens: {},
      events: 0,
    });
    const one = accepted({ html, trackOpens: true, to: [person("a@y.test")], bcc: [] });
    expect(one.tracked?.recipient).toBe("a@y.test");
    expect(accepted({ html }).contents.html).toBe(html);
    expect(accepted({ trackOpens: true }).contents.html).toBeNull();
  });

  it("has at most 35 MiB when it is encoded with its files [S6.4-20]", () => {
    // 57 bytes of a file make a line of 78 bytes.
    const withLines = (count: number) => accept({}, 57 * count);
    const known = Result.getOrThrow(withLines(400_000)).contents.size;
    const most = 400_000 + Math.floor((35 * 2 ** 20 - known) / 78);
    expect([most, most + 1].map((count) => Result.isSuccess(withLines(count)))).toEqual([true, false]);
  });
});

describe("a message that answers another", () => {
  const answered = { inReplyTo: "<1@y>", references: ["<0@y>", "<1@y>"] } as never;

  it("refers to it unless the request has references of its own", () => {
    expect(answeringMessage(WANTED, answered)).toEqual({
      ...WANTED,
      inReplyTo: "<1@y>",
      references: ["<0@y>", "<1@y>"],
    });
    const own = { ...WANTED, inReplyTo: "<9@y>", references: ["<9@y>"] };
    expect(answeringMessage(own, answered)).toEqual(own);
  });
});
