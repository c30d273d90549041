import { PosternApi } from "@postern/api";
import { Contacts } from "@postern/core/send";
import { Effect } from "effect";
import { currentAccount } from "../../auth/current-principal.ts";
import { answer } from "../../problems/answer.ts";
import { instantOf } from "../../wire/instant-of.ts";
import { handlerGroup } from "../handler-group.ts";

/** Handlers of the operations on contacts (spec 12.5). */
export const ContactsHandlers = handlerGroup(
  PosternApi,
  "contacts",
  Effect.fn(function* (handlers) {
    const contacts = yield* Contacts;
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(contacts.search(yield* currentAccount, query));
        const data = items.map(({ id, name, address, lastWrittenAt }) => ({
          id,
          name,
          address,
          lastWrittenAt: instantOf(lastWrittenAt),
        }));
        return { ok: true as const, data, nextCursor };
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(contacts.forget(yield* currentAccount, id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);
