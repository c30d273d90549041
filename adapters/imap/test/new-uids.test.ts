import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { newUids } from "../src/following/new-uids.ts";

const MOST = 500;

/** A mailbox with these UIDs. Counts the UIDs in its answers to searches. */
const mailbox = (uids: ReadonlyArray<number>) => {
  const state = { searches: 0, answered: 0 };
  const search = async ({ uid }: { readonly uid: string }) => {
    const [first, last] = uid.split(":");
    const end = last === "*" ? Math.max(Number(first), uids.at(-1) ?? 0) : Number(last);
    const found = uids.filter((one) => one >= Number(first) && one <= end);
    const answer = last === "*" && found.length === 0 ? uids.slice(-1) : found;
    state.searches++;
    state.answered += answer.length;
    return answer;
  };
  return { client: { search } as unknown as ImapFlow, state };
};

const cursor = (uidNext: number) => ({ uidValidity: 1, uidNext, highestModSeq: null });

/** Reads all new messages like a backfill: poll after poll, at most `most` messages at a time. */
const readAll = (client: ImapFlow, from: number, uidNext: number) =>
  Effect.gen(function* () {
    const all: Array<number> = [];
    for (let next: number | undefined = from; next !== undefined;) {
      const uids: ReadonlyArray<number> = yield* newUids(client, cursor(next), cursor(uidNext), MOST, 1_000);
      all.push(...uids.slice(0, MOST));
      next = uids[MOST];
    }
    return all;
  });

describe("the UIDs of new messages", () => {
  it.effect("are read in time that grows with their number, poll after poll", () =>
    Effect.gen(function* () {
      const dense = Array.from({ length: 30_000 }, (_, n) => n + 1);
      const { client, state } = mailbox(dense);
      assert.deepStrictEqual(yield* readAll(client, 1, 30_001), dense);
      assert.isBelow(state.answered, 3 * dense.length);
    }),
  );

  it.effect("are found behind gaps by few searches, also beyond the UIDNEXT that a server reported", () =>
    Effect.gen(function* () {
      const sparse = [150, 4_000, 900_000, 900_001, 2_000_000];
      const { client, state } = mailbox(sparse);
      assert.deepStrictEqual(yield* readAll(client, 120, 1_999_000), sparse);
      assert.isBelow(state.searches, 15);
    }),
  );

  it.effect("are fetched without a search if they are few, and include no earlier message", () =>
    Effect.gen(function* () {
      const { client, state } = mailbox([5]);
      assert.deepStrictEqual(yield* newUids(client, cursor(7), cursor(9), MOST, 1_000), [7, 8]);
      assert.deepStrictEqual(yield* newUids(client, cursor(9), cursor(9), MOST, 1_000), []);
      assert.strictEqual(state.searches, 0);
      assert.deepStrictEqual(yield* newUids(client, cursor(7), cursor(900), MOST, 1_000), []);
    }),
  );
});
