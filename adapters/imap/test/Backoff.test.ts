import { assert, it } from "@effect/vitest";
import { MailServerError } from "@postern/core/mail";
import { Backoff } from "../src/Backoff.ts";

const DOWN = new MailServerError({ reason: "unreachable", operation: "connect", detail: "" });

it("doubles the wait after each failure up to two seconds, and resets it after a success", () => {
  const backoff = new Backoff();
  let now = 1_000_000;
  assert.isUndefined(backoff.standing(now));
  for (const wait of [100, 200, 400, 800, 1_600, 2_000, 2_000]) {
    backoff.failed(DOWN, now, 1);
    assert.strictEqual(backoff.standing(now + wait - 1), DOWN);
    assert.isUndefined(backoff.standing(now + wait));
    now += wait;
  }
  backoff.succeeded();
  backoff.failed(DOWN, now, 0);
  assert.strictEqual(backoff.standing(now + 49), DOWN);
  assert.isUndefined(backoff.standing(now + 50), "jitter takes off up to half");
});
