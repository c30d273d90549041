import { expect, it } from "vitest";
import { isRefused, MailServerError } from "../../src/mail/MailServerError.ts";

it.each([
  ["unreachable", false],
  ["untrusted", false],
  ["timeout", false],
  ["busy", false],
  ["limited", false],
  ["protocol", true],
  ["flood", false],
  ["not_permitted", true],
  ["over_quota", true],
  ["sign_in_unclear", false],
  ["provider_unavailable", false],
  ["app_misconfigured", false],
  ["credential_unreadable", false],
] as const)("a server that answers %s did nothing for certain: %j", (reason, expected) => {
  expect(isRefused(new MailServerError({ reason, operation: "move", detail: "no" }))).toBe(expected);
});
