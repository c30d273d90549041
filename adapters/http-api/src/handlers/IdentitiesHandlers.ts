import { CurrentPrincipal, PosternApi } from "@postern/api";
import { Identities } from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../answer.ts";
import { creationKey } from "../creation-key.ts";
import { currentAccount } from "../current-account.ts";

/** Handlers of the operations on identities (spec 12.2). */
export const IdentitiesHandlers = handlerGroup(
  PosternApi,
  "identities",
  Effect.fn(function* (handlers) {
    const identities = yield* Identities;
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const data = yield* answer(identities.list(yield* currentAccount));
        return { ok: true as const, data, nextCursor: null };
      }),
      create: Effect.fnUntraced(function* ({ payload, headers }) {
        const { isAdmin } = yield* CurrentPrincipal;
        const key = yield* creationKey(headers);
        const data = yield* answer(identities.create(yield* currentAccount, payload, isAdmin, key));
        return { ok: true as const, data };
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        return { ok: true as const, data: yield* answer(identities.change(yield* currentAccount, id, payload)) };
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(identities.remove(yield* currentAccount, id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);
