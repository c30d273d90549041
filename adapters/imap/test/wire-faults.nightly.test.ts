import { assert, it } from "@effect/vitest";
import { describeWithDovecot } from "@postern/testkit";
import { Effect } from "effect";
import { converseUnderFaults } from "./wire-faults.ts";

const CONVERSATIONS = 120;

describeWithDovecot("faults on the wire", () => {
  it.live(
    "end operations in time with a failure of the mail server, and the next one succeeds",
    () =>
      Effect.gen(function* () {
        const { wrong, faults } = yield* converseUnderFaults({
          conversations: CONVERSATIONS,
          seed: 1,
          accounts: 8,
          timeout: 1_000,
        });
        assert.deepStrictEqual(wrong, []);
        assert.isAtLeast(
          [...faults.values()].reduce((sum, some) => sum + some),
          CONVERSATIONS * 0.8,
        );
      }),
    // The time limits count only the served time.
    10 * 60_000,
  );
});
