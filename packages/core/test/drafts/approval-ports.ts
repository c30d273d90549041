import { Effect, Layer, Option } from "effect";
import { type Approval, ApprovalRecords } from "../../src/drafts/index.ts";
import { EventPublisher } from "../../src/events/index.ts";

/** Approvals by id, and the events that were published. */
interface ApprovalState {
  approvals: Map<string, Approval>;
  told: ReadonlyArray<readonly [type: string, data: unknown]>;
}

/** The ports of approvals and their events, in memory. */
export const approvalPorts = (world: ApprovalState) =>
  Layer.mergeAll(
    Layer.mock(ApprovalRecords, {
      insert: (approval) => Effect.sync(() => void world.approvals.set(approval.id, approval)),
      find: (_, id) => Effect.sync(() => Option.fromUndefinedOr(world.approvals.get(id))),
      list: (_, state, __, limit) =>
        Effect.sync(() =>
          [...world.approvals.values()].filter((one) => state === undefined || one.state === state).slice(0, limit),
        ),
      pending: (filter, limit) =>
        Effect.sync(() =>
          [...world.approvals.values()]
            .filter(({ state }) => state === "pending")
            .filter(({ draftId, by, expiresAt }) =>
              "draft" in filter
                ? draftId === filter.draft
                : "requester" in filter
                  ? by.id === filter.requester
                  : expiresAt <= filter.expiresBy,
            )
            .slice(0, limit),
        ),
      change: (_, id, decide) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(world.approvals.get(id)), (known) => {
            const [answer, after] = decide(known);
            world.approvals.set(id, after);
            return answer;
          }),
        ),
    }),
    Layer.mock(EventPublisher, {
      publishNow: (_, type, data) => Effect.sync(() => void (world.told = [...world.told, [type, data]])),
    }),
  );
