import { expect, it } from "vitest";
import { AccountId } from "../../src/shared/index.ts";
import { afterDelay, afterFailure } from "../../src/bounces/parse-job-state.ts";
import { newParseJob } from "../../src/bounces/ParseJob.ts";

const job = newParseJob(AccountId("a@example.org"), { path: "INBOX", uidValidity: 1, uid: 2 }, 1_000, 2_000);

it("tries a message that fails again for days before it gives it up", () => {
  expect(afterFailure(job, 10_000)).toEqual({ job: { ...job, failures: 1 }, dueAt: 70_000 });
  const waits = [0, 1, 2, 3].map((failures) => afterFailure({ ...job, failures }, 0)!.dueAt);
  expect(waits).toEqual([60_000, 3_600_000, 86_400_000, 3 * 86_400_000]);
  expect(afterFailure({ ...job, failures: 4 }, 0)).toBeNull();
});

it("waits for a mail server with backoff, for at most two weeks", () => {
  const waits = [0, 1, 2, 8, 9, 500].map((delays) => afterDelay({ ...job, delays }, 10_000)!.dueAt - 10_000);
  expect(waits).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  expect(afterDelay(job, 2_000 + 14 * 86_400_000 - 1)).toMatchObject({ job: { ...job, delays: 1 } });
  expect(afterDelay(job, 2_000 + 14 * 86_400_000)).toBeNull();
});
