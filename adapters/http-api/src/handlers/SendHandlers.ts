import { CurrentPrincipal, PosternApi } from "@postern/api";
import { Approvals } from "@postern/core/drafts";
import { Outbox } from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount, currentKey } from "../auth/current-principal.ts";
import { approvalAsked } from "../wire/approval-record.ts";
import { outgoingItem } from "../wire/outgoing-item.ts";

/** Handlers of the sending and outbox operations (spec 6). */
export const SendHandlers = handlerGroup(
  PosternApi,
  "send",
  Effect.fn(function* (handlers) {
    const approvals = yield* Approvals;
    const outbox = yield* Outbox;
    return handlers.handleAll({
      send: ({ payload, headers }) =>
        Effect.all([currentAccount, currentKey]).pipe(
          Effect.flatMap(([account, key]) => answer(approvals.send(account, payload, headers["idempotency-key"], key))),
          Effect.map((sent) =>
            "receipt" in sent ? { ok: true as const, ...sent.receipt } : approvalAsked(sent.approval),
          ),
        ),
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(outbox.page(yield* currentAccount, query));
        return { ok: true as const, data: items.map(outgoingItem), nextCursor };
      }),
      get: ({ params }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(outbox.find(account, params.id))),
          Effect.map((entry) => ({ ok: true as const, data: outgoingItem(entry) })),
        ),
      cancel: ({ params }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(outbox.cancel(account, params.id))),
          Effect.map((entry) => ({ ok: true as const, data: outgoingItem(entry) })),
        ),
      sendNow: ({ params }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(outbox.sendNow(account, params.id))),
          Effect.map((entry) => ({ ok: true as const, data: outgoingItem(entry) })),
        ),
      release: Effect.fnUntraced(function* ({ params }) {
        const [account, key] = [yield* currentAccount, yield* currentKey];
        const { isAdmin } = yield* CurrentPrincipal;
        const by = key === null ? (isAdmin ? "operator" : null) : { key: key.id, application: key.application };
        const entry = yield* answer(outbox.release(account, params.id, by));
        return { ok: true as const, data: outgoingItem(entry) };
      }),
    });
  }),
);
