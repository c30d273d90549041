import { PosternApi } from "@postern/api";
import { type Application, keyChangesOf, keyRequestOf, Keys, type ServiceKey } from "@postern/core/auth";
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
      sendPolicy: key.sendPolicy ?? null,
    });

    const applicationView = (application: Application) => ({
      ...application,
      id: application.name,
      version: versions.application(application),
      suspendedAt: instantOrNull(application.suspendedAt),
    });

    return handlers.handleAll({
      suspend: ({ params: { name } }) =>
        Effect.as(answer(keys.suspend(name)), { ok: true as const, data: { id: name, suspended: true } }),
      resume: ({ params: { name } }) =>
        Effect.as(answer(keys.resume(name)), { ok: true as const, data: { id: name, suspended: false } }),
      make: Effect.fnUntraced(function* ({ payload, headers }) {
        const request = yield* answer(keyRequestOf(payload, ids, yield* Clock.currentTimeMillis));
        const { key, text } = yield* answer(keys.make(request, yield* creationKey(headers)));
        const data = viewOf(key);
        yield* setVersion(data.version);
        return { ok: true as const, data: { ...data, key: text === null ? null : Redacted.value(text) } };
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(keys.page(query));
        return { ok: true as const, data: items.map(viewOf), nextCursor };
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload, headers }) {
        const changes = yield* answer(keyChangesOf(payload, ids));
        const data = viewOf(yield* answer(keys.change(id, changes, precondition(headers, versions.key))));
        yield* setVersion(data.version);
        return { ok: true as const, data };
      }),
      remove: Effect.fnUntraced(function* ({ params: { id }, query: { mail }, headers }) {
        const ended = yield* answer(keys.remove(id, mail, precondition(headers, versions.key)));
        return { ok: true as const, data: { id, deleted: true as const, ended } };
      }),
      applications: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(keys.applications(query));
        return { ok: true as const, data: items.map(applicationView), nextCursor };
      }),
      changeApplication: Effect.fnUntraced(function* ({ params: { name }, payload, headers }) {
        const isWanted = precondition(headers, versions.application);
        const data = applicationView(yield* answer(keys.changeApplication(name, payload, isWanted)));
        yield* setVersion(data.version);
        return { ok: true as const, data };
      }),
      removeApplication: Effect.fnUntraced(function* ({ params: { name }, query: { mail } }) {
        const { keys: removed, ended } = yield* answer(keys.removeApplication(name, mail));
        return { ok: true as const, data: { id: name, name, deleted: true as const, keys: removed, ended } };
      }),
    });
  }),
);
