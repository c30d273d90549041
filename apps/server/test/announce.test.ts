import { Effect } from "effect";
import { expect, it } from "vitest";
import { announcement } from "../src/process/announce.ts";
import { readConfig } from "../src/settings/config.ts";

const announced = (environment: Readonly<Record<string, string>>) =>
  announcement(Effect.runSync(readConfig(environment, false)), 3000);

it("names the demo accounts of a sandbox [S1.2-2]", () => {
  expect(announced({})).toMatch(/none: a sandbox in memory[^]*demo@postern\.test {2}password demo/);
});

it("warns that a sandbox is open to other machines if they can reach it", () => {
  expect(announced({ HOST: "0.0.0.0" })).toMatch(/Open to {8}all who reach 0\.0\.0\.0/);
  expect(announced({})).not.toMatch(/Open to/);
});

it.each([{ ACCOUNT_SERVERS: "any" }, { IMAP_URL: "imaps://imap.test", SMTP_URL: "smtps://smtp.test" }])(
  "names none with %j [S1.2-4]",
  (environment) => {
    expect(announced(environment)).not.toMatch(/sandbox|demo/);
  },
);
