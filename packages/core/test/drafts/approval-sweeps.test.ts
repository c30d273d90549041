import { it } from "@effect/vitest";
import { Duration, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { expect } from "vitest";
import { APPROVAL_LIFETIME } from "../../src/drafts/approvals/approval-state.ts";
import { drafts } from "../../src/drafts/neighbours.ts";
import { ApprovalRecords } from "../../src/drafts/ports/ApprovalRecords.ts";
import { DraftRecords } from "../../src/drafts/ports/DraftRecords.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { UploadRecords } from "../../src/send/index.ts";
import { noTransaction } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;

it.effect("an approval that was decided on its last day is kept for 90 days", () =>
  Effect.gen(function* () {
    const ages: Array<number> = [];
    const doubles = Layer.mergeAll(
      Layer.mock(ApprovalRecords, {
        pending: () => Effect.succeed([]),
        forget: (before) => Effect.sync(() => (ages.push(NOW - before), 0)),
      }),
      Layer.mock(DraftRecords, { forget: () => Effect.succeed([]) }),
      Layer.mock(UploadRecords, { unpin: () => Effect.void }),
      Layer.mock(EventPublisher, {}),
      noTransaction,
    );
    yield* TestClock.setTime(NOW);
    for (const sweep of yield* Effect.provide(drafts.sweeps, doubles)) yield* sweep;
    expect(ages.map((age) => age - Duration.toMillis(APPROVAL_LIFETIME))).toEqual([90 * DAY]);
  }),
);
