import { assert, layer } from "@effect/vitest";
import { TrackedMessages } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

/** The contract of `TrackedMessages` (spec 7). */
export const trackedMessagesContract = (name: string, live: Layer.Layer<TrackedMessages, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("stores a message and its opens", () =>
      Effect.gen(function* () {
        const tracked = yield* TrackedMessages;
        const account = yield* freshAccount;
        for (const recipient of [null, "a@y.test"]) {
          const message = { id: uuid(), account, messageId: "<m@x>", recipient, opens: {}, events: 0 };
          yield* tracked.insert(message);
          assert.deepStrictEqual(yield* tracked.find(message.id), Option.some(message));
          const opened = { ...message, opens: { human: { count: 3, lastEventAt: 1_900_000_000_123 } }, events: 2 };
          yield* tracked.update(opened);
          assert.deepStrictEqual(yield* tracked.find(message.id), Option.some(opened));
        }
        for (const stranger of ["", "\0", "no such picture", "%"]) {
          assert.deepStrictEqual(yield* tracked.find(stranger), Option.none());
        }
        const [one, other] = [`<${uuid()}@x>`, `<${uuid()}@x>`];
        for (const messageId of [one, other]) {
          yield* tracked.insert({ id: messageId, account, messageId, recipient: null, opens: {}, events: 0 });
        }
        yield* tracked.remove([one, "<unknown@x>"]);
        assert.isTrue(Option.isNone(yield* tracked.find(one)));
        assert.isTrue(Option.isSome(yield* tracked.find(other)));
        const last = { id: uuid(), account, messageId: "<m@x>", recipient: null, opens: {}, events: 0 };
        yield* tracked.insert(last);
        while (yield* tracked.erase(account, 1));
        assert.deepStrictEqual(yield* tracked.find(last.id), Option.none());
      }),
    );
  });
