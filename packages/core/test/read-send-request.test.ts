import type { SendRequest } from "../src/send/neighbours.ts";
import { Result } from "effect";
import { describe, expect, it } from "vitest";
import { readSendRequest } from "../src/send/read-send-request.ts";

const NOW = Date.UTC(2026, 0, 1);
const good: SendRequest = { to: "a@y.test", subject: "Hello", text: "Hi" };
const faults = (request: SendRequest) => {
  const message = readSendRequest(request, NOW);
  if (Result.isSuccess(message)) return [];
  return message.failure._tag === "InputInvalid"
    ? message.failure.errors.map(({ field }) => field)
    : [message.failure._tag];
};
const read = (request: Partial<SendRequest>) => Result.getOrThrow(readSendRequest({ ...good, ...request }, NOW));

describe("readSendRequest", () => {
  it("accepts lists as text and as arrays [S6.2-1]", () => {
    const message = read({ to: ["a@y.test, B <b@y.test>", "c@y.test"], cc: "d@y.test", replyTo: "e@y.test" });
    expect(message.to.map(({ address }) => address)).toEqual(["a@y.test", "b@y.test", "c@y.test"]);
    expect([message.cc, message.replyTo].flat().map(({ address }) => address)).toEqual(["d@y.test", "e@y.test"]);
  });

  it("lets a message say that a program wrote it, and where to unsubscribe [S6.2-3] [S6.2-5]", () => {
    const headers = {
      "Auto-Submitted": "auto-replied",
      Precedence: "bulk",
      "List-Id": "<news.y.test>",
      "Feedback-ID": "a:b",
      Importance: "low",
    };
    const url = "https://y.test/u?1";
    expect(read({ headers }).headers).toEqual(Object.entries(headers));
    expect(read({ unsubscribe: { url } }).headers).toEqual([["List-Unsubscribe", `<${url}>`]]);
    expect(read({ headers: { "X-A": "1" }, unsubscribe: { url, oneClick: true } }).headers).toEqual([
      ["X-A", "1"],
      ["List-Unsubscribe", `<${url}>`],
      ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
    ]);
  });

  it("accepts addresses with names, as in listings [S2.2-4]", () => {
    const zwnj = "\u0646\u06cc\u200c\u0644";
    const message = read({
      to: [{ name: "", address: "a@y.test" }, { name: 'Roe, "Jane"', address: "jane@bücher.example" }, "c@y.test"],
      cc: { address: "d@y.test" },
      replyTo: [{ name: zwnj, address: "e@y.test" }],
    });
    expect(message.to).toEqual([
      { name: "", address: "a@y.test" },
      { name: 'Roe, "Jane"', address: "jane@xn--bcher-kva.example" },
      { name: "", address: "c@y.test" },
    ]);
    expect([message.cc, message.replyTo]).toEqual([
      [{ name: "", address: "d@y.test" }],
      [{ name: zwnj, address: "e@y.test" }],
    ]);
  });

  it("parses no address of a list that is too long, and stops reading it at the limit", () => {
    let read = 0;
    const many = Array.from({ length: 100_000 }, () => "no address");
    const counted = new Proxy(many, {
      get: (all, at) => (typeof at === "string" && /^\d/.test(at) && read++, Reflect.get(all, at)),
    });
    expect(faults({ ...good, to: many.join(), replyTo: counted })).toEqual(["to", "replyTo"]);
    expect(read).toBeLessThan(200);
  });

  it("reads Message-IDs with and without angle brackets", () => {
    const message = read({ inReplyTo: "one@x", references: ["<one@x> two@x", "<three@x>"] });
    expect(message.inReplyTo).toBe("<one@x>");
    expect(message.references).toEqual(["<one@x>", "<two@x>", "<three@x>"]);
  });

  it("treats a sendAt in the past as now", () => {
    expect(read({ sendAt: "2025-12-31T23:59:59Z" }).sendAt).toBeNull();
    expect(read({ sendAt: "2026-01-01T02:00:00+01:00" }).sendAt).toBe(NOW + 3_600_000);
  });

  it.each<[ReadonlyArray<string>, Partial<SendRequest>]>([
    [["to"], { to: [] }],
    [["to"], { to: "nonsense" }],
    [["to"], { to: "a@y.test\r\nRCPT TO:<evil@x>" }],
    [["cc", "bcc"], { cc: "x", bcc: "y" }],
    [["to"], { to: Array.from({ length: 101 }, (_, n) => `a${n}@y.test`) }],
    [["to"], { bcc: Array.from({ length: 100 }, (_, n) => `a${n}@y.test`).join() }],
    [["to"], { to: { name: "x\r\nBcc: e@x", address: "a@y.test" } }],
    [["to"], { to: { name: "x", address: "A <a@y.test>" } }],
    [["to"], { to: { name: "x", address: "a@y.test, b@y.test" } }],
    [["to"], { to: { name: "x\u202e", address: "a@y.test" } }],
    [["to"], { to: { name: "x".repeat(321), address: "a@y.test" } }],
    [["to"], { to: "x".repeat(1_000_000) }],
    [["to"], { to: `${'"'.repeat(1_000_000)} <a@y.test>` }],
    [["subject"], { subject: "x\r\nBcc: e@x" }],
    [["subject"], { subject: "x".repeat(999) }],
    [["inReplyTo"], { inReplyTo: "<a>\r\nX: y" }],
    [["references"], { references: Array.from({ length: 101 }, (_, n) => `<${n}@x>`) }],
    [["headers"], { headers: { Bcc: "e@x" } }],
    [["headers"], { headers: { "x-postern-draft": "x" } }],
    [["headers"], { headers: { "X-A\r\nBcc": "e@x" } }],
    [["headers"], { headers: { "X-A": "b\nc" } }],
    [["headers"], { headers: { "Auto-Submitted": "auto-replied\r\nBcc: e@x" } }],
    ...["Bcc", "From", "Received", "DKIM-Signature", "Content-Type", "Message-ID", "Return-Path", "List"].map(
      (name): [Array<string>, object] => [["headers"], { headers: { [name]: "x" } }],
    ),
    ...[
      "http://y.test/u",
      "mailto:u@y.test",
      "https://y.test/u>, <x",
      "https://y.test/ü",
      "https://y.test/\r\nBcc: e@x",
    ].map((url): [Array<string>, object] => [["unsubscribe.url"], { unsubscribe: { url } }]),
    [
      ["unsubscribe"],
      { unsubscribe: { url: "https://y.test/u" }, headers: { "list-unsubscribe": "<https://y.test>" } },
    ],
    [["headers"], { headers: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`X-${n}`, "v"])) }],
    [["attachments.0.name"], { attachments: [{ id: "u", url: "/", name: "a\r\nb" }] }],
    [["attachments.0.type"], { attachments: [{ id: "u", url: "/", type: "text/plain\r\nX: y" }] }],
    [["attachments.0.contentId"], { attachments: [{ id: "u", url: "/", contentId: "a>b" }] }],
    [["trackOpens"], { trackOpens: true }],
    [["sendAt"], { sendAt: "tomorrow" }],
    [["sendAt"], { sendAt: "2026-02-31T25:00:00Z" }],
    [["sendAt"], { sendAt: "2028-01-01T00:00:00Z" }],
    [["MessageTooLarge"], { attachments: Array.from({ length: 21 }, (_, n) => ({ id: `${n}`, url: "/" })) }],
  ])("reports %j [S6.2-1] [S6.2-3] [S6.2-4] [S6.2-6] [S6.4-20]", (fields, request) => {
    expect(faults({ ...good, ...request })).toEqual(fields);
  });

  it("reports text and html if both are missing [S6.2-2] [S2.3-13]", () => {
    expect(faults({ to: "x", subject: "s" })).toEqual(["to", "text", "html"]);
    expect(faults({ to: "a@y.test", subject: "", text: "" })).toEqual([]);
  });
});

describe("expiresAfter", () => {
  const within = (expiresAfter: string | undefined) =>
    Result.match(readSendRequest({ ...good, expiresAfter }, NOW, false, 3_600_000), {
      onFailure: (error) => (error._tag === "InputInvalid" ? error.errors.map(({ field }) => field) : error._tag),
      onSuccess: (message) => message.expiresAfter,
    });

  it.each([
    [undefined, null],
    ["10m", 600_000],
    ["1h", 3_600_000],
    ["1500ms", 1_500],
  ])("is a duration as settings are written, at most the setting: %s [S6.4-23]", (text, millis) =>
    expect(within(text)).toBe(millis),
  );

  it.each(["61m", "2d", "0m", "10", "PT10M", "", "1w", "-1h", "1.5h"])("refuses %j [S6.4-23]", (text) =>
    expect(within(text)).toEqual(["expiresAfter"]),
  );
});
