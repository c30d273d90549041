import { AccountId } from "../src/shared/index.ts";
import type { FolderRemoval } from "../src/folders/index.ts";
import { Duration } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterFailure,
  isGivenUp,
  MAX_ATTEMPTS,
  MAX_RESTORE_ATTEMPTS,
  RESTORED_FOR,
  startRestoring,
  TRIED_FOR,
} from "../src/folders/removal-failure.ts";

const BEGUN = 1_900_000_000_000;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const TRIED_FOR_MILLIS = Duration.toMillis(TRIED_FOR);
const RESTORED_FOR_MILLIS = Duration.toMillis(RESTORED_FOR);

const removal: FolderRemoval = {
  id: "r",
  account: AccountId("a@b.c"),
  folderId: "f",
  path: "Old",
  uidValidity: 7,
  hiddenPath: "postern-removal-x",
  folders: [],
  delimiter: "/",
  destination: { id: "d", path: "Dest" },
  phase: "hiding",
  moved: 0,
  remaining: 0,
  batch: null,
  begunAt: BEGUN,
  failures: 0,
  dueAt: BEGUN,
  reason: null,
};
const emptying: FolderRemoval = {
  ...removal,
  phase: "emptying",
  batch: { mailbox: "postern-removal-x", lastUid: 9, count: 3, copiedFrom: 1 },
};
const REFUSED = { refused: true, reason: "NOPERM" };
const ABSENT = { refused: false, reason: "unreachable" };

describe("a removal after a failed attempt", () => {
  it("ends if it is refused before anything was hidden [S4.6-9]", () => {
    expect(afterFailure(removal, false, REFUSED, BEGUN)).toBeUndefined();
    expect(afterFailure({ ...removal, failures: 3 }, false, REFUSED, BEGUN)).toBeUndefined();
  });

  it("is retried if something may be hidden, or the server did not answer", () => {
    for (const [phase, hides, failure] of [
      [removal, true, REFUSED],
      [removal, undefined, REFUSED],
      [removal, false, ABSENT],
      [emptying, true, REFUSED],
      [emptying, undefined, ABSENT],
    ] as const) {
      const next = afterFailure(phase, hides, failure, BEGUN)!;
      expect(next).toEqual({ ...phase, failures: 1, dueAt: BEGUN + 10 * SECOND, reason: failure.reason });
    }
  });

  it("is given up after a day: hidden mailboxes are restored, otherwise it ends [S4.6-10]", () => {
    const late = BEGUN + TRIED_FOR_MILLIS;
    const put = afterFailure({ ...emptying, failures: 30 }, true, REFUSED, late);
    expect(put).toMatchObject({ phase: "restoring", batch: null, failures: 0, dueAt: late, reason: "NOPERM" });
    expect(afterFailure({ ...removal, failures: 30 }, undefined, ABSENT, late)).toMatchObject({ phase: "restoring" });
    expect(afterFailure({ ...removal, failures: 30 }, false, ABSENT, late)).toBeUndefined();
  });

  it("is given up after 60 attempts, and restoring after 240 attempts or a week", () => {
    expect([MAX_ATTEMPTS, MAX_RESTORE_ATTEMPTS]).toEqual([60, 240]);
    expect([TRIED_FOR_MILLIS, RESTORED_FOR_MILLIS]).toEqual([24 * HOUR, 7 * 24 * HOUR]);
    const restoring: FolderRemoval = { ...removal, phase: "restoring" };
    const after = (failures: number, now = BEGUN) => afterFailure({ ...restoring, failures }, true, REFUSED, now);
    expect([after(238) !== undefined, after(239)]).toEqual([true, undefined]);
    expect([after(0, BEGUN + 7 * 24 * HOUR - 1)?.failures, after(0, BEGUN + 7 * 24 * HOUR)]).toEqual([1, undefined]);
    expect(afterFailure({ ...emptying, failures: MAX_ATTEMPTS - 2 }, true, REFUSED, BEGUN)?.phase).toBe("emptying");
    expect(afterFailure({ ...emptying, failures: MAX_ATTEMPTS - 1 }, true, REFUSED, BEGUN)?.phase).toBe("restoring");
  });

  it("is never given up if no attempt failed, because a crash is not a failure", () => {
    expect(isGivenUp(emptying, BEGUN + 9 * TRIED_FOR_MILLIS)).toBe(false);
    expect(isGivenUp({ ...emptying, failures: 1 }, BEGUN + TRIED_FOR_MILLIS)).toBe(true);
    expect(isGivenUp({ ...emptying, failures: 1 }, BEGUN + TRIED_FOR_MILLIS - 1)).toBe(false);
    expect(isGivenUp({ ...emptying, phase: "finished", failures: 1 }, BEGUN + TRIED_FOR_MILLIS)).toBe(false);
    expect(isGivenUp(startRestoring({ ...emptying, failures: 1 }, BEGUN), BEGUN + TRIED_FOR_MILLIS)).toBe(false);
  });
});

it("is retried after 10 seconds, twice as long each time, and an hour at most", () => {
  const delays = [0, 1, 2, 8, 9, 50].map(
    (failures) => afterFailure({ ...emptying, failures }, true, ABSENT, BEGUN)!.dueAt,
  );
  expect(delays.map((dueAt) => (dueAt - BEGUN) / SECOND)).toEqual([10, 20, 40, 2_560, 3_600, 3_600]);
});

it("ends however its attempts fail, retries only when due, and restores hidden mail first", () => {
  const attempt = fc.record({ refused: fc.boolean(), hides: fc.option(fc.boolean(), { nil: undefined }) });
  // The delay of each attempt after its due time: small, or as long as a process may be down.
  const late = fc.oneof(fc.integer({ min: 0, max: 5 * SECOND }), fc.integer({ min: 0, max: 48 * HOUR }));
  fc.assert(
    fc.property(
      fc.infiniteStream(attempt),
      fc.infiniteStream(late),
      fc.constantFrom(removal, emptying),
      (failures, delays, begun) => {
        let state: FolderRemoval | undefined = begun;
        let attempts = 0;
        let now = BEGUN;
        let last: { readonly state: FolderRemoval; readonly hides: boolean | undefined } | undefined;
        while (state !== undefined) {
          expect(++attempts).toBeLessThanOrEqual(MAX_ATTEMPTS + MAX_RESTORE_ATTEMPTS);
          now = Math.max(now, state.dueAt) + delays.next().value!;
          const { refused, hides } = failures.next().value!;
          const known = state.phase === "hiding" ? hides : true;
          last = { state: isGivenUp(state, now) ? startRestoring(state, now) : state, hides: known };
          state = afterFailure(last.state, known, { refused, reason: "no" }, now);
          if (state === undefined) break;
          const turned = state.phase !== last.state.phase;
          if (turned) expect([state.phase, state.failures]).toEqual(["restoring", 0]);
          else expect(state.dueAt - now).toBeGreaterThanOrEqual(10 * SECOND);
          expect(state.dueAt - now).toBeLessThanOrEqual(HOUR);
        }
        const abandoned = last!.state.phase === "restoring";
        expect(abandoned || (last!.state.phase === "hiding" && last!.hides === false)).toBe(true);
        if (!abandoned) expect(now).toBeLessThanOrEqual(BEGUN + TRIED_FOR_MILLIS + 50 * HOUR);
        else expect(now >= BEGUN + RESTORED_FOR_MILLIS || last!.state.failures + 1 >= MAX_RESTORE_ATTEMPTS).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
