import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { AccountId } from "../../src/shared/index.ts";
import { AccountWatches, FollowedMailboxes, MovedMessages, SenderBlocks } from "../../src/watch/index.ts";
import { watch } from "../../src/watch/neighbours.ts";

const ME = AccountId("me@x.test");

/** Erases a slice of an account whose mailboxes, or moves, have more rows. */
const erase = (mailboxes: boolean, moves: boolean) =>
  Effect.gen(function* () {
    const did: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void did.push(what));
    const { erase, eraseSlice } = yield* watch.data.pipe(
      Effect.provide([
        Layer.mock(AccountWatches, { erase: () => note("watches"), isOursAlone: false, changed: Effect.never }),
        Layer.mock(FollowedMailboxes, { erase: (_, limit) => Effect.as(note(`mailboxes ${limit}`), mailboxes) }),
        Layer.mock(MovedMessages, { erase: (_, limit) => Effect.as(note(`moves ${limit}`), moves) }),
        Layer.mock(SenderBlocks, { erase: () => note("blocks") }),
      ]),
    );
    yield* erase(ME);
    const hasMore = yield* eraseSlice(ME, 5);
    return { did, hasMore };
  });

it.effect("what is known of a removed account is erased until neither mailboxes nor moves have more", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual((yield* erase(true, true)).hasMore, true);
    assert.deepStrictEqual((yield* erase(true, false)).hasMore, true);
    assert.deepStrictEqual((yield* erase(false, true)).hasMore, true);
    const { did, hasMore } = yield* erase(false, false);
    assert.isFalse(hasMore);
    assert.sameMembers(did.slice(0, 2), ["watches", "blocks"]);
    assert.match(did[2]!, /^mailboxes [0-9]+$/);
    assert.deepStrictEqual(did.slice(3), ["mailboxes 5", "moves 5"]);
  }),
);
