import { PosternApi } from "@postern/api";
import { Blocks } from "@postern/core/arrivals";
import type { SenderBlock } from "@postern/core/watch";
import { Effect } from "effect";
import { currentAccount } from "../../auth/current-principal.ts";
import { answer } from "../../problems/answer.ts";
import { instantOf } from "../../wire/instant-of.ts";
import { handlerGroup } from "../handler-group.ts";

/** Handlers of the operations on blocked senders (spec 5.9). */
export const BlocksHandlers = handlerGroup(
  PosternApi,
  "blocks",
  Effect.fn(function* (handlers) {
    const blocks = yield* Blocks;
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(blocks.page(yield* currentAccount, query));
        return { ok: true as const, data: items.map(blockOf), nextCursor };
      }),
      add: Effect.fnUntraced(function* ({ payload: { address } }) {
        return { ok: true as const, data: blockOf(yield* answer(blocks.add(yield* currentAccount, address))) };
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(blocks.remove(yield* currentAccount, id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);

const blockOf = ({ id, address, createdAt }: SenderBlock) => ({ id, address, createdAt: instantOf(createdAt) });
