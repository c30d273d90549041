import { type TrackedMessage, TrackedMessages } from "@postern/core/send";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";

/** Tracked messages, kept in memory. */
export const layer = Layer.effect(
  TrackedMessages,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const messages = yield* cell("tracked messages", HashMap.empty<string, TrackedMessage>());

    return TrackedMessages.of({
      insert: (message) => messages.modify((all) => [undefined, HashMap.set(all, message.id, message)]),
      find: (id) => Effect.map(Effect.andThen(messages.lock([id]), messages.get), HashMap.get(id)),
      update: (message) => messages.modify((all) => [undefined, HashMap.modify(all, message.id, () => message)]),
      remove: (messageIds) =>
        messages.modify((all) => [undefined, HashMap.filter(all, ({ messageId }) => !messageIds.includes(messageId))]),
      erase: (account) =>
        messages.modify((all) => [false, HashMap.filter(all, (message) => message.account !== account)]),
    });
  }),
);
