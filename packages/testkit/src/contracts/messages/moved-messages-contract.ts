import { assert, layer } from "@effect/vitest";
import type { MessageRef } from "@postern/core/shared";
import { MovedMessages } from "@postern/core/messages";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const at = (uid: number, folderId = "inbox", uidValidity = 4_000_000_000): MessageRef => ({
  folderId,
  uidValidity,
  uid,
});

/** The contract of `MovedMessages` (spec 5). */
export const movedMessagesContract = <E>(name: string, store: Layer.Layer<MovedMessages, E>): void =>
  layer(store, { excludeTestServices: true })(name, (it) => {
    it.effect("finds the new location of a message, by account", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        yield* moved.record(account, [{ from: at(4_294_967_295), to: at(7, "trash", 9) }], 1_000);
        assert.deepStrictEqual(yield* moved.find(account, at(4_294_967_295)), Option.some(at(7, "trash", 9)));
        for (const unknown of [at(1), at(4_294_967_295, "sent"), at(4_294_967_295, "inbox", 9)]) {
          assert.isTrue(Option.isNone(yield* moved.find(account, unknown)));
        }
        assert.isTrue(Option.isNone(yield* moved.find(other, at(4_294_967_295))));
      }),
    );

    it.effect("keeps the later of two moves from one location", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const account = yield* freshAccount;
        yield* moved.record(account, [{ from: at(1), to: at(2) }], 1_000);
        yield* moved.record(account, [{ from: at(1), to: at(3) }], 2_000);
        assert.deepStrictEqual(yield* moved.find(account, at(1)), Option.some(at(3)));
      }),
    );

    it.effect("records many moves at once, or none", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const account = yield* freshAccount;
        yield* moved.record(account, [], 1_000);
        const moves = Array.from({ length: 2_500 }, (_, n) => ({ from: at(n + 1), to: at(n + 1, "archive") }));
        yield* moved.record(account, moves, 1_000);
        assert.deepStrictEqual(yield* moved.find(account, at(2_500)), Option.some(at(2_500, "archive")));
      }),
    );

    it.effect("erases an account, and removes old moves", () =>
      Effect.gen(function* () {
        const moved = yield* MovedMessages;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        yield* moved.record(account, [{ from: at(1), to: at(2) }], 100);
        yield* moved.record(other, [{ from: at(1), to: at(2) }], 200);
        while (yield* moved.removeOld(200, 1));
        assert.isTrue(Option.isNone(yield* moved.find(account, at(1))));
        assert.isTrue(Option.isSome(yield* moved.find(other, at(1))));
        while (yield* moved.erase(other, 1));
        assert.isTrue(Option.isNone(yield* moved.find(other, at(1))));
      }),
    );
  });
