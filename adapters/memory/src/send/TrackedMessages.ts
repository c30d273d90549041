import { type TrackedMessage, TrackedMessages } from "@postern/core/send";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../Memory.ts";

/** Tracked messages, kept in memory. */
export const layer = Layer.effect(
  TrackedMessages,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const messages = yield* cell(HashMap.empty<string, TrackedMessage>());
    const put = (message: TrackedMessage) =>
      messages.modify((all) => [undefined, HashMap.set(all, message.id, message)]);

    return TrackedMessages.of({
      insert: put,
      find: (id) => Effect.map(messages.get, HashMap.get(id)),
      update: put,
      remove: (messageIds) =>
        messages.modify((all) => [undefined, HashMap.filter(all, ({ messageId }) => !messageIds.includes(messageId))]),
      erase: (account) =>
        messages.modify((all) => [false, HashMap.filter(all, (message) => message.account !== account)]),
    });
  }),
);
