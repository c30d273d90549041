import { CurrentPrincipal, PosternApi } from "@postern/api";
import { Audit } from "@postern/core/audit";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { instantOf } from "../wire/instant-of.ts";

/** Handler of the audit (spec 8.7). */
export const AuditHandlers = handlerGroup(
  PosternApi,
  "audit",
  Effect.fn(function* (handlers) {
    const audit = yield* Audit;
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { account, key } = yield* CurrentPrincipal;
        const reader = { key: key?.id ?? null, account: account === null ? null : AccountId(account) };
        const { items, nextCursor } = yield* answer(audit.page(query, reader));
        const data = items.map(({ createdAt, ...entry }) => ({ ...entry, createdAt: instantOf(createdAt) }));
        return { ok: true as const, data, nextCursor };
      }),
    });
  }),
);
