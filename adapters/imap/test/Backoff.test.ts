import { assert, it } from "@effect/vitest";
import { MailServerError } from "@postern/core/mail";
import { Backoff } from "../src/session/Backoff.ts";

const UNCLEAR = new MailServerError({ reason: "sign_in_unclear", operation: "login", detail: "" });
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

it("waits 5, 15 and then 45 seconds after refusals without a reason, less up to half, until one sign-in succeeds [S10.3-8]", () => {
  const backoff = new Backoff();
  const waits = (jitter: number, count: number) =>
    Array.from({ length: count }, () => {
      backoff.failed(UNCLEAR, 0, jitter);
      let wait = 0;
      while (backoff.standing(wait) === UNCLEAR) wait += 500;
      return wait;
    });
  assert.deepStrictEqual(waits(1, 4), [5_000, 15_000, 45_000, 45_000]);
  backoff.succeeded();
  assert.deepStrictEqual(waits(0, 3), [2_500, 7_500, 22_500]);
});
