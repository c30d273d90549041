import { InvalidRequest, PosternApi } from "@postern/api";
import { Keys, type ServiceKey } from "@postern/core/auth";
import { OpaqueIds } from "@postern/core/shared";
import { Clock, Effect, Redacted } from "effect";
import { handlerGroup } from "../handler-group.ts";
import { reachView } from "../account-reach.ts";
import { answer } from "../answer.ts";
import { MOST_FAULTS } from "../field-faults.ts";
import { instantOf } from "../instant-of.ts";
import { keyRequest } from "../key-request.ts";
import { RequestId } from "../RequestId.ts";

/** Handlers of the operations on service keys (spec 10.2). */
export const KeysHandlers = handlerGroup(
  PosternApi,
  "keys",
  Effect.fn(function* (handlers) {
    const keys = yield* Keys;
    const ids = yield* OpaqueIds;

    const viewOf = (key: ServiceKey) => ({
      ...key,
      accounts: key.accounts === null ? null : reachView(key.accounts, ids),
      expiresAt: instantOrNull(key.expiresAt),
      createdAt: instantOf(key.createdAt),
      lastUsedAt: instantOrNull(key.lastUsedAt),
    });

    return handlers.handleAll({
      make: Effect.fnUntraced(function* ({ payload }) {
        const { request, faults } = keyRequest(payload, ids, yield* Clock.currentTimeMillis);
        if (faults.length > 0) {
          return yield* new InvalidRequest({ requestId: yield* RequestId, errors: faults.slice(0, MOST_FAULTS) });
        }
        const { key, text } = yield* answer(keys.make(request));
        return { ok: true as const, data: { ...viewOf(key), key: Redacted.value(text) } };
      }),
      list: () =>
        Effect.map(answer(keys.list), (all) => ({ ok: true as const, data: all.map(viewOf), nextCursor: null })),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(keys.remove(id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
      removeApplication: Effect.fnUntraced(function* ({ params: { name } }) {
        const removed = yield* answer(keys.removeApplication(name));
        return { ok: true as const, data: { name, keys: removed } };
      }),
    });
  }),
);

const instantOrNull = (millis: number | null) => (millis === null ? null : instantOf(millis));
