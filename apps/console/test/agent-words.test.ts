import { expect, test } from "vitest";
import { policyText, rightsText } from "../src/settings/agents/agent-words.ts";

const READ_AND_DRAFT = ["mail:read", "mail:draft"] as const;
const SENDS = [...READ_AND_DRAFT, "mail:send"] as const;

test("names the rights of an assistant besides sending", () => {
  expect(rightsText(["mail:read"])).toBe("Reads mail.");
  expect(rightsText(["mail:read", "mail:draft", "mail:organize", "mail:send"])).toBe(
    "Reads mail, writes drafts, and flags, labels and moves messages.",
  );
});

test("describes the messages that a policy lets an assistant send without the owner", () => {
  expect(policyText({ to: [], approval: "always" }, ["mail:read"])).toBe("Sends nothing.");
  expect(policyText({ to: ["thread"], approval: "outside" }, READ_AND_DRAFT)).toBe(
    "Asks you before it sends anything.",
  );
  expect(policyText({ to: ["a@x.test"], approval: "always", perDay: 1 }, SENDS)).toBe(
    "Asks you before it sends anything. At most 1 message in 24 hours.",
  );
  expect(policyText({ to: [], approval: "outside" }, SENDS)).toBe("Asks you before it sends anything.");
  expect(policyText({ to: ["a@x.test", "@y.test"], approval: "outside", perDay: 20 }, SENDS)).toBe(
    "Sends to a@x.test and everyone at y.test without asking. Asks you about everything else. At most 20 messages in 24 hours.",
  );
  expect(policyText({ to: ["thread"], approval: "never" }, SENDS)).toBe(
    "Sends to the people you wrote to in the same conversation without asking. Everything else is refused.",
  );
  expect(policyText({ to: [], approval: "never" }, SENDS)).toBe("Sends nothing: its policy names no recipients.");
});
