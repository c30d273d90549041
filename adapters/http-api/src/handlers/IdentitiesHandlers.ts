import { CurrentPrincipal, PosternApi } from "@postern/api";
import { Identities, type Identity } from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { creationKey } from "../wire/creation-key.ts";
import { currentAccount } from "../auth/current-principal.ts";
import { recordVersions } from "../wire/record-versions.ts";
import { precondition, setVersion } from "../problems/wanted-version.ts";

/** Handlers of the operations on identities (spec 12.2). */
export const IdentitiesHandlers = handlerGroup(
  PosternApi,
  "identities",
  Effect.fn(function* (handlers) {
    const identities = yield* Identities;
    const versions = yield* recordVersions;
    const recordOf = (identity: Identity) => ({ ...identity, version: versions.identity(identity) });
    const oneOf = (identity: Identity) => {
      const data = recordOf(identity);
      return Effect.as(setVersion(data.version), { ok: true as const, data });
    };
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(identities.page(yield* currentAccount, query));
        return { ok: true as const, data: items.map(recordOf), nextCursor };
      }),
      create: Effect.fnUntraced(function* ({ payload, headers }) {
        const { isAdmin } = yield* CurrentPrincipal;
        const key = yield* creationKey(headers);
        return yield* oneOf(yield* answer(identities.create(yield* currentAccount, payload, isAdmin, key)));
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload, headers }) {
        const isWanted = precondition(headers, versions.identity);
        return yield* oneOf(yield* answer(identities.change(yield* currentAccount, id, payload, isWanted)));
      }),
      remove: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        yield* answer(identities.remove(yield* currentAccount, id, precondition(headers, versions.identity)));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);
