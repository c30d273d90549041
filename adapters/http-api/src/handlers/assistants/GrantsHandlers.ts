import { PosternApi } from "@postern/api";
import { type AgentGrant, AgentGrants } from "@postern/core/assistants";
import { Effect } from "effect";
import { handlerGroup } from "../handler-group.ts";
import { currentAccount } from "../../auth/current-principal.ts";
import { answer } from "../../problems/answer.ts";
import { precondition, setVersion } from "../../problems/wanted-version.ts";
import { instantOf, instantOrNull } from "../../wire/instant-of.ts";
import { recordVersions } from "../../wire/record-versions.ts";

/** Handlers of the operations on grants (spec 13.3). */
export const GrantsHandlers = handlerGroup(
  PosternApi,
  "grants",
  Effect.fn(function* (handlers) {
    const grants = yield* AgentGrants;
    const versions = yield* recordVersions;

    const viewOf = (grant: AgentGrant) => {
      const { id, name, client, scopes, sendPolicy, createdAt, lastUsedAt, expiresAt } = grant;
      return {
        id,
        version: versions.grant(grant),
        name,
        client,
        scopes,
        sendPolicy,
        createdAt: instantOf(createdAt),
        lastUsedAt: instantOrNull(lastUsedAt),
        expiresAt: instantOf(expiresAt),
      };
    };

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(grants.page(yield* currentAccount, query));
        return { ok: true as const, data: items.map(viewOf), nextCursor };
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload, headers }) {
        const isWanted = precondition(headers, versions.grant);
        const data = viewOf(yield* answer(grants.change(yield* currentAccount, id, payload, isWanted)));
        yield* setVersion(data.version);
        return { ok: true as const, data };
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(grants.end(yield* currentAccount, id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);
