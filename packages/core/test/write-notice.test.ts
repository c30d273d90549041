import { AccountId, RETRY_LADDER } from "../src/shared/index.ts";
import { expect, it } from "vitest";
import { ownedBy } from "../src/webhooks/EndpointOwner.ts";
import { writeNotice } from "../src/webhooks/write-notice.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DISABLED_AT = Date.UTC(2026, 0, 31);

const me = AccountId("me@x.test");

const textWith = (ladder: ReadonlyArray<number>): string => {
  const notice = {
    owner: ownedBy(me),
    endpointId: "ep_1",
    url: "https://y.test",
    generation: 1,
    disabledAt: DISABLED_AT,
  };
  return writeNotice(notice, me, { ladder, noticesFrom: null, baseUrl: "https://x.test" }).contents.text!;
};
const daysBefore = (ladder: ReadonlyArray<number>): number =>
  (DISABLED_AT - Date.parse(/"since": "([^"]+)"/.exec(textWith(ladder))![1]!)) / DAY;

it("states how many retries failed", () => {
  expect(textWith(RETRY_LADDER)).toContain("and all 5 retries failed.");
  expect(textWith([1, 2])).toContain("and all 2 retries failed.");
  expect(textWith([1])).toContain("and its retry failed.");
  expect(textWith([])).toContain("and its only attempt failed.");
});

it("proposes a replay from before the event and within the retention", () => {
  expect(daysBefore(RETRY_LADDER)).toBeGreaterThan(1);
  expect(daysBefore([2 * DAY, 2 * DAY])).toBe(9);
  expect(daysBefore([10 * DAY, 10 * DAY])).toBe(11);
});
