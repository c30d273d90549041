import { Effect, Option, Redacted } from "effect";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/settings/config.ts";
import { sandboxAdminKey } from "../src/process/sandbox-admin-key.ts";

const keyFor = (environment: Readonly<Record<string, string>>) =>
  Option.map(Option.fromUndefinedOr(sandboxAdminKey(Effect.runSync(readConfig(environment, false)))), Redacted.value);

describe("the admin key of a sandbox", () => {
  it("is made at each start [S10.1-7]", () => {
    const [one, other] = [keyFor({}), keyFor({})];
    expect(Option.getOrThrow(one)).toMatch(/^adm_[\w-]{43}$/);
    expect(one).not.toEqual(other);
  });

  it.each([
    { ADMIN_KEY: "k".repeat(32) },
    { ACCOUNT_SERVERS: "any" },
    { IMAP_URL: "imap://mail.test", SMTP_URL: "smtp://mail.test" },
  ])("is not made with %j", (environment) => expect(keyFor(environment)).toEqual(Option.none()));
});
