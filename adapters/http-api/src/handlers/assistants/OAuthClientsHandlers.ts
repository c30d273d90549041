import { PosternApi } from "@postern/api";
import { type AssistantClient, AssistantClients } from "@postern/core/assistants";
import { Effect } from "effect";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../../problems/answer.ts";
import { creationKey } from "../../wire/creation-key.ts";
import { instantOf } from "../../wire/instant-of.ts";

const viewOf = ({ id, name, redirectUris, source, createdAt }: AssistantClient) => ({
  id,
  name,
  redirectUris,
  source: source === "registered" ? source : ("operator" as const),
  createdAt: instantOf(createdAt),
});

/** Handlers of the operations on OAuth clients (spec 13.3). */
export const OAuthClientsHandlers = handlerGroup(
  PosternApi,
  "oauthClients",
  Effect.fn(function* (handlers) {
    const clients = yield* AssistantClients;

    return handlers.handleAll({
      make: Effect.fnUntraced(function* ({ payload, headers }) {
        const client = yield* answer(clients.make(payload, yield* creationKey(headers)));
        return { ok: true as const, data: viewOf(client) };
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(clients.page(query));
        return { ok: true as const, data: items.map(viewOf), nextCursor };
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(clients.remove(id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);
