import { Result } from "effect";
import { describe, expect, it } from "vitest";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { readSendRequest } from "../../src/send/read-send-request.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY_MILLIS = 86_400_000;
const good: SendRequest = { to: "a@y.test", subject: "Hello", text: "Hi" };

const read = (request: Partial<SendRequest>, isDraft = false) => {
  const result = readSendRequest({ ...good, ...request }, NOW, isDraft);
  if (Result.isSuccess(result)) return result.success;
  return result.failure._tag === "InputInvalid" ? result.failure.errors : result.failure._tag;
};
const faultsOf = (request: Partial<SendRequest>, isDraft = false) => {
  const result = read(request, isDraft);
  return Array.isArray(result)
    ? [...new Set(result.map(({ field }) => field))]
    : typeof result === "string"
      ? result
      : "read";
};
const several = (count: number, text = "a@y.test") => Array.from({ length: count }, () => text);

describe("the bounds of a request to send", () => {
  it.each<[string, Partial<SendRequest>, Partial<SendRequest>, ReadonlyArray<string> | string]>([
    [
      "100 recipients",
      { to: several(60), cc: several(30), bcc: several(10) },
      { to: several(60), cc: several(41) },
      ["to"],
    ],
    ["100 recipients in bcc", { bcc: several(99) }, { bcc: several(100) }, ["to"]],
    ["100 addresses for answers", { replyTo: several(100) }, { replyTo: several(101) }, ["replyTo"]],
    ["998 characters of a subject", { subject: "x".repeat(998) }, { subject: "x".repeat(999) }, ["subject"]],
    ["100 references", { references: several(100, "a@b") }, { references: several(101, "a@b") }, ["references"]],
    [
      "20 files",
      { attachments: several(20).map(() => ({ id: "f" })) },
      { attachments: several(21).map(() => ({ id: "f" })) },
      "MessageTooLarge",
    ],
    [
      "255 characters of a file name",
      { attachments: [{ id: "f", name: "x".repeat(255) }] },
      { attachments: [{ id: "f", name: "x".repeat(256) }] },
      ["attachments.0.name"],
    ],
    [
      "50 header fields",
      { headers: Object.fromEntries(several(50).map((_, n) => [`X-${n}a`, ""])) },
      { headers: Object.fromEntries(several(51).map((_, n) => [`X-${n}a`, ""])) },
      ["headers"],
    ],
    [
      "998 characters of a header",
      { headers: { "X-A": "x".repeat(998) } },
      { headers: { "X-A": "x".repeat(999) } },
      ["headers"],
    ],
    [
      "900 characters of a link to unsubscribe, behind its scheme",
      { unsubscribe: { url: `https://${"x".repeat(900)}` } },
      { unsubscribe: { url: `https://${"x".repeat(901)}` } },
      ["unsubscribe.url"],
    ],
    [
      "a year ahead",
      { sendAt: new Date(NOW + 366 * DAY_MILLIS).toISOString() },
      { sendAt: new Date(NOW + 366 * DAY_MILLIS + 1).toISOString() },
      ["sendAt"],
    ],
    [
      "5 MiB of files in it",
      { attachments: [{ content: `${"AAAA".repeat((5 * 1024 * 1024 - 2) / 3)}AAA=` }] },
      { attachments: [{ content: `${"AAAA".repeat((5 * 1024 * 1024 - 2) / 3)}AAAA` }] },
      "MessageTooLarge",
    ],
  ])("are %s", (_, within, beyond, faults) => {
    expect(faultsOf(within)).toBe("read");
    expect(faultsOf(beyond)).toEqual(faults);
  });

  it.each<[string, Partial<SendRequest>, ReadonlyArray<string>]>([
    ["no recipient in to", { to: [] }, ["to"]],
    ["a control character in the subject", { subject: "a\nb" }, ["subject"]],
    ["a control character in a recipient", { to: "a\n@y.test" }, ["to"]],
    ["a recipient that is no address", { cc: { address: "nobody" } }, ["cc"]],
    ["an answered message without a domain", { inReplyTo: "<a b@c>" }, ["inReplyTo"]],
    ["a reference that is too short", { references: "ab" }, ["references"]],
    ["a tracking picture without HTML", { trackOpens: true }, ["trackOpens"]],
    ["a time without an offset", { sendAt: "2026-01-02T00:00:00" }, ["sendAt"]],
    ["a time of no calendar", { sendAt: "2026-13-02T00:00:00Z" }, ["sendAt"]],
    ["a file with an id and content", { attachments: [{ id: "f", content: "AAAA" }] }, ["attachments.0"]],
    ["a file with neither", { attachments: [{ id: "f" }, {}] }, ["attachments.1"]],
    ["a file that is no base64", { attachments: [{ content: "A-AA" }] }, ["attachments.0.content"]],
    ["a file of half a group of base64", { attachments: [{ content: "AA" }] }, ["attachments.0.content"]],
    ["a file without a name", { attachments: [{ id: "f", name: "" }] }, ["attachments.0.name"]],
    ["a file name with a line end", { attachments: [{ id: "f", name: "a\nb" }] }, ["attachments.0.name"]],
    ["a file type without a slash", { attachments: [{ id: "f", type: "png" }] }, ["attachments.0.type"]],
    ["a Content-ID with brackets", { attachments: [{ id: "f", contentId: "<a>" }] }, ["attachments.0.contentId"]],
    ["a header with another name", { headers: { Subject: "x" } }, ["headers"]],
    ["a header that marks drafts", { headers: { "x-postern-DRAFT": "x" } }, ["headers"]],
    ["a header with a line end", { headers: { "X-A": "a\nb" } }, ["headers"]],
    ["a link to unsubscribe that is not https", { unsubscribe: { url: "http://x.test" } }, ["unsubscribe.url"]],
    [
      "two ways to unsubscribe",
      { unsubscribe: { url: "https://x.test" }, headers: { "List-Unsubscribe": "<x>" } },
      ["unsubscribe"],
    ],
  ])("refuse %s, in its field", (_, request, fields) => expect(faultsOf(request)).toEqual(fields));

  it("require a subject, and a text or HTML, of a message but not of a draft [S6.2-1]", () => {
    const { to } = good;
    const faults = (request: SendRequest, isDraft: boolean) => {
      const result = readSendRequest(request, NOW, isDraft);
      return Result.isFailure(result) && result.failure._tag === "InputInvalid"
        ? result.failure.errors.map(({ field }) => field)
        : [];
    };
    expect(faults({ to } as SendRequest, false)).toEqual(["subject", "text", "html"]);
    expect(faults({ to, subject: "x", html: "" } as SendRequest, false)).toEqual([]);
    expect(faults({ to, subject: "x", text: "" } as SendRequest, false)).toEqual([]);
    expect(faults({ trackOpens: true } as SendRequest, true)).toEqual([]);
    expect(faultsOf({ trackOpens: true, html: "x" })).toBe("read");
  });
});

describe("a request to send", () => {
  it("names the answered message and the references with angle brackets, however they are separated [S6.2-1]", () => {
    expect(read({ inReplyTo: " a@b ", references: "<1@b>,2@b  3@b" })).toMatchObject({
      inReplyTo: "<a@b>",
      references: ["<1@b>", "<2@b>", "<3@b>"],
    });
    expect(read({ references: ["1@b 2@b", "3@b"] })).toMatchObject({ references: ["<1@b>", "<2@b>", "<3@b>"] });
    expect(read({})).toMatchObject({ inReplyTo: null, references: [] });
  });

  it("is sent at once without a later time", () => {
    const at = (sendAt?: string) => read(sendAt === undefined ? {} : { sendAt });
    expect(at()).toMatchObject({ sendAt: null });
    expect(at(new Date(NOW).toISOString())).toMatchObject({ sendAt: null });
    expect(at("2025-01-01T00:00:00Z")).toMatchObject({ sendAt: null });
    expect(at(new Date(NOW + 1).toISOString())).toMatchObject({ sendAt: NOW + 1 });
    expect(at("2026-01-01T02:00:00+01:00")).toMatchObject({ sendAt: NOW + 3_600_000 });
  });

  it("is not tracked unless it says so", () => {
    expect(read({ html: "x" })).toMatchObject({ trackOpens: false });
    expect(read({ html: "x", trackOpens: false })).toMatchObject({ trackOpens: false });
    expect(read({ html: "x", trackOpens: true })).toMatchObject({ trackOpens: true });
  });

  it("keeps text that is not an address yet in a draft, except control characters", () => {
    expect(read({ to: "Bob, carl@y.test, " }, true)).toMatchObject({
      to: [
        { name: "", address: "Bob" },
        { name: "", address: "carl@y.test" },
      ],
    });
    expect(read({ to: "(Bob" }, true)).toMatchObject({ to: [{ name: "", address: "(Bob" }] });
    expect(read({ to: [{ name: "Bob", address: "b" }] }, true)).toMatchObject({ to: [{ name: "Bob", address: "b" }] });
    expect(read({ to: "" }, true)).toMatchObject({ to: [] });
    expect(faultsOf({ to: "B\u0000b" }, true)).toEqual(["to"]);
    expect(faultsOf({ to: { name: "B\nb", address: "b" } }, true)).toEqual(["to"]);
    expect(faultsOf({ to: { address: "b".repeat(999) } }, true)).toEqual(["to"]);
    expect(faultsOf({ to: "Bob" })).toEqual(["to"]);
  });
});
