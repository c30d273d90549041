import { assert, it } from "@effect/vitest";
import { settingsOf } from "../src/connection/ImapOptions.ts";

it("sends a command on a watching connection before Rambler ends an IDLE after 55 seconds, and Yahoo after 3 minutes", () => {
  assert.isBelow(settingsOf().timeouts.keepalive, 55_000);
});
