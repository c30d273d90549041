import { PosternApi } from "@postern/api";
import { keyRequestOf, Keys, type ServiceKey } from "@postern/core/auth";
import { OpaqueIds } from "@postern/core/shared";
import { Clock, Effect, Redacted } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { reachView } from "../wire/account-reach.ts";
import { answer } from "../problems/answer.ts";
import { creationKey } from "../wire/creation-key.ts";
import { instantOf, instantOrNull } from "../wire/instant-of.ts";
import { recordVersions } from "../wire/record-versions.ts";
import { precondition, setVersion } from "../problems/wanted-version.ts";

/** Handlers of the operations on service keys (spec 10.2). */
export const KeysHandlers = handlerGroup(
  PosternApi,
  "keys",
  Effect.fn(function* (handlers) {
    const keys = yield* Keys;
    const ids = yield* OpaqueIds;

    const versions = yield* recordVersions;
    const viewOf = (key: ServiceKey) => ({
      ...key,
      version: versions.key(key),
      accounts: key.accounts === null ? null : reachView(key.accounts, ids),
      expiresAt: instantOrNull(key.expiresAt),
      createdAt: instantOf(key.createdAt),
      lastUsedAt: instantOrNull(key.lastUsedAt),
    });

    return handlers.handleAll({
      make: Effect.fnUntraced(function* ({ payload, headers }) {
        const request = yield* answer(keyRequestOf(payload, ids, yield* Clock.currentTimeMillis));
        const { key, text } = yield* answer(keys.make(request, yield* creationKey(headers)));
        const data = viewOf(key);
        yield* setVersion(data.version);
        return { ok: true as const, data: { ...data, key: text === null ? null : Redacted.value(text) } };
      }),
      list: () =>
        Effect.map(answer(keys.list), (all) => ({ ok: true as const, data: all.map(viewOf), nextCursor: null })),
      remove: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        const ended = yield* answer(keys.remove(id, precondition(headers, versions.key)));
        return { ok: true as const, data: { id, deleted: true as const, ended } };
      }),
      removeApplication: Effect.fnUntraced(function* ({ params: { name } }) {
        const { keys: removed, ended } = yield* answer(keys.removeApplication(name));
        return { ok: true as const, data: { id: name, name, deleted: true as const, keys: removed, ended } };
      }),
    });
  }),
);
