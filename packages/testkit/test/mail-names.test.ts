import { assert, it } from "@effect/vitest";
import { encodeMailboxName } from "../src/servers/mail-names.ts";

// The first two are RFC 3501's own examples.
it.each([
  ["~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"],
  ["Entwürfe & mehr", "Entw&APw-rfe &- mehr"],
  ["📬", "&2D3c7A-"],
  ["&", "&-"],
  ["plain", "plain"],
])("%s is %s on the wire", (name, encoded) => {
  assert.strictEqual(encodeMailboxName(name), encoded);
});
