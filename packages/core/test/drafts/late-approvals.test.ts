import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { expect } from "vitest";
import { AgentGrantRecords } from "../../src/assistants/index.ts";
import { ServiceKeys } from "../../src/auth/index.ts";
import type { Approval } from "../../src/drafts/approvals/Approval.ts";
import { approveDraft } from "../../src/drafts/approvals/decide-approval.ts";
import { requesters } from "../../src/drafts/approvals/requesters.ts";
import { ApprovalRecords } from "../../src/drafts/ports/ApprovalRecords.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { ME } from "../messages/mailbox-in-memory.ts";

const NOW = 1_900_000_000_000;

/** Approves what a requester asked for whose end did not see the request. Returns the error and the event. */
const approveAfterEnd = (kind: "key" | "grant") =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const told: Array<unknown> = [];
    const asked = {
      id: "apr_1",
      account: ME,
      draftId: "d1",
      version: 1,
      state: "pending",
      by: { kind, id: "r1", name: "agent", application: "app" },
      expiresAt: NOW + 1,
    } as unknown as Approval;
    const doubles = Layer.mergeAll(
      Layer.mock(ServiceKeys, { find: () => Effect.succeedNone }),
      Layer.mock(AgentGrantRecords, { find: () => Effect.succeedNone }),
      Layer.mock(ApprovalRecords, {
        find: () => Effect.succeedSome(asked),
        change: (_account, _id, decide) => Effect.sync(() => Option.some(decide(asked)[0])),
      }),
      Layer.mock(EventPublisher, {
        publishNow: (_account, type, data) =>
          Effect.sync(() => void told.push([type, (data as unknown as Approval).state])),
      }),
    );
    const store = Effect.all({ approvals: ApprovalRecords, events: EventPublisher });
    const { ports, ...found } = yield* Effect.provide(Effect.all({ ports: store, requesters }), doubles);
    const requests = { store: { ...ports, transaction: { run: <A>(effect: A) => effect } } };
    const all = { requests, ...found } as unknown as Parameters<typeof approveDraft>[0];
    const error = yield* Effect.flip(approveDraft(all, ME, "apr_1", "1", null));
    return { error: error._tag, told };
  });

for (const kind of ["key", "grant"] as const) {
  it.effect(`an approval that a ${kind} asked for while it ended is withdrawn when a person decides [S13.2-6]`, () =>
    Effect.gen(function* () {
      expect(yield* approveAfterEnd(kind)).toEqual({
        error: "ApprovalDecided",
        told: [["approval.decided", "withdrawn"]],
      });
    }),
  );
}
