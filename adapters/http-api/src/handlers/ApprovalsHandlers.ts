import { PosternApi } from "@postern/api";
import { type Approval, Approvals } from "@postern/core/drafts";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount, currentKey } from "../auth/current-principal.ts";
import { approvalRecord, callRecord } from "../wire/approval-record.ts";
import { setVersion, wantedVersion } from "../problems/wanted-version.ts";

/** Handlers of the operations on approvals (spec 13.2). */
export const ApprovalsHandlers = handlerGroup(
  PosternApi,
  "approvals",
  Effect.fn(function* (handlers) {
    const approvals = yield* Approvals;
    const oneOf = (approval: Approval) => {
      const data = approvalRecord(approval);
      return Effect.as(setVersion(data.version), { ok: true as const, data });
    };
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(approvals.page(yield* currentAccount, query));
        return { ok: true as const, data: items.map(approvalRecord), nextCursor };
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        const { calls, ...approval } = yield* answer(approvals.find(yield* currentAccount, id));
        const { ok, data } = yield* oneOf(approval);
        return { ok, data: { ...data, calls: calls.map(callRecord) } };
      }),
      approve: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        const [account, key] = [yield* currentAccount, yield* currentKey];
        return yield* oneOf(yield* answer(approvals.approve(account, id, wantedVersion(headers["if-match"]), key)));
      }),
      deny: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const [account, key] = [yield* currentAccount, yield* currentKey];
        return yield* oneOf(yield* answer(approvals.deny(account, id, payload?.reason, key)));
      }),
    });
  }),
);
