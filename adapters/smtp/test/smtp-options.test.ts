import { assert, it } from "@effect/vitest";
import { settingsOf } from "../src/SmtpOptions.ts";

it("waits 5 minutes for a reply or a block of data, and 10 for the reply to the dot [S6.4-2]", () => {
  assert.deepInclude(settingsOf().timeouts, { command: 5 * 60_000, dot: 10 * 60_000 });
});
