import { describe, expect, it } from "vitest";
import { type AgentSending, isNamed, judgeSending } from "../../src/send/agents/judge-sending.ts";
import type { MessageToSend } from "../../src/send/MessageToSend.ts";
import { AccountId } from "../../src/shared/index.ts";
import { address, MESSAGE } from "./plain-message.ts";

const ME = AccountId("me@x.test");
const NOW = 1_900_000_000_000;
const DAY = 86_400_000;

const sending = (message: Partial<MessageToSend> = {}, more: Partial<AgentSending> = {}): AgentSending => ({
  account: ME,
  message: { ...MESSAGE, ...message },
  isFromDefault: true,
  carriesFiles: false,
  answered: { inReplyTo: "<1@x>", references: ["<0@x>", "<1@x>"] },
  written: new Set(["ann@friends.test"]),
  ...more,
});

const POLICY = { to: ["thread", "ok@y.test", "@ok.test"], approval: "outside" } as const;

describe("the policy of an agent [S13.1-1]", () => {
  it.each([
    ["an address", {}],
    ["a domain, in any case", { to: [address("Any@OK.test")] }],
    ["whom the owner wrote to in the conversation [S13.1-4]", { to: [address("Ann@friends.test")] }],
    ["a schedule within a day", { sendAt: NOW + DAY }],
    ["the references of the answered message", { inReplyTo: "<1@x>", references: ["<1@x>"] }],
    ["answers to the mailbox itself", { replyTo: [address("ME@x.test")] }],
  ])("lets a message to %s go", (_, message) => {
    expect(judgeSending(POLICY, sending(message), NOW)).toBe("send");
  });

  it.each<[string, Partial<MessageToSend>, Partial<AgentSending>?]>([
    ["another address", { to: [address("x@y.test")] }],
    ["a domain below an allowed one", { to: [address("a@sub.ok.test")] }],
    ["a domain that ends alike", { to: [address("a@notok.test")] }],
    ["one recipient more", { to: [address("ok@y.test"), address("x@y.test")] }],
    ["another address in Cc", { cc: [address("eve@evil.test")] }],
    ["a recipient in Bcc [S13.1-5]", { bcc: [address("b@ok.test")] }],
    ["a name that is an allowed address", { to: [{ name: "ok@y.test", address: "eve@evil.test" }] }],
    ["another sender [S13.1-5]", {}, { isFromDefault: false }],
    ["the file of another message [S13.1-5]", {}, { carriesFiles: true }],
    ["another address for answers [S13.1-5]", { replyTo: [address("eve@evil.test")] }],
    ["header fields of its own [S13.1-5]", { headers: [["X-Own", "x"]] }],
    ["references of its own [S13.1-5]", { references: ["<other@x>"] }],
    ["a schedule beyond a day [S13.1-5]", { sendAt: NOW + DAY + 1 }],
    ["whom the owner did not write to [S13.1-4]", { to: [address("ann@friends.test")] }, { written: new Set() }],
  ])("keeps %s outside", (_, message, more) => {
    expect(judgeSending(POLICY, sending(message, more), NOW)).toBe("ask");
    expect(judgeSending({ ...POLICY, approval: "never" }, sending(message, more), NOW)).toBe("refuse");
  });

  it("sends nothing without an approval under `always`", () => {
    expect(judgeSending({ ...POLICY, approval: "always" }, sending(), NOW)).toBe("ask");
  });

  it("counts the conversation only where the policy names it", () => {
    const message = sending({ to: [address("ann@friends.test")] });
    expect(judgeSending({ to: ["ok@y.test"], approval: "outside" }, message, NOW)).toBe("ask");
    expect(isNamed(POLICY, "thread")).toBe(false);
  });
});
