import { PosternApi } from "@postern/api";
import { Unsubscription } from "@postern/core/lifecycle";
import { Invitations } from "@postern/core/send";
import { Effect } from "effect";
import { currentAccount, currentKey } from "../../auth/current-principal.ts";
import { answer } from "../../problems/answer.ts";
import { handlerGroup } from "../handler-group.ts";

/** Handlers of the operations that carry out the request of a message, such as an invitation (spec 5.8). */
export const AnswersHandlers = handlerGroup(
  PosternApi,
  "answers",
  Effect.fn(function* (handlers) {
    const lists = yield* Unsubscription;
    const invitations = yield* Invitations;
    return handlers.handleAll({
      invitation: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const [account, key] = [yield* currentAccount, yield* currentKey];
        const to = yield* answer(invitations.answer(account, id, payload, key));
        return { ok: true as const, data: { answer: payload.answer, to } };
      }),
      unsubscribe: Effect.fnUntraced(function* ({ params: { id } }) {
        const [account, key] = [yield* currentAccount, yield* currentKey];
        return { ok: true as const, data: yield* answer(lists.unsubscribe(account, id, key)) };
      }),
    });
  }),
);
