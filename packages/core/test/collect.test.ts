import type { MailboxView } from "../src/messages/index.ts";
import { it } from "@effect/vitest";
import { Effect } from "effect";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { collect } from "../src/messages/page.ts";
import { summaryWith } from "./messages/summary.ts";

/** A view of these UIDs, oldest first. Messages that are removed meanwhile leave their positions empty. */
const viewOf = (uids: ReadonlyArray<number>, removed: ReadonlySet<number> = new Set()) => {
  let reads = 0;
  const view: MailboxView = {
    uidValidity: 1,
    total: uids.length,
    unread: 0,
    state: null,
    flags: () => Effect.die("not asked for"),
    byUid: () => Effect.die("not asked for"),
    messages: (first, last) =>
      Effect.sync(() => {
        reads++;
        return uids
          .slice(first - 1, last)
          .filter((uid) => !removed.has(uid))
          .map((uid) => summaryWith({ uid, subject: `m${uid}` }));
      }),
    positionBelow: (uid) => Effect.sync(() => uids.filter((one) => one < uid).length),
  };
  return { view, reads: () => reads };
};

describe("collect", () => {
  it.effect("pages through a changing mailbox without repeating or skipping a message", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 7 }),
          fc.array(fc.boolean(), { minLength: 0, maxLength: 60 }),
          fc.array(
            fc.record({ arrive: fc.nat(3), remove: fc.array(fc.nat(80), { maxLength: 20 }), vanish: fc.nat(80) }),
            {
              minLength: 30,
              maxLength: 30,
            },
          ),
          async (limit, initial, changes) => {
            let uids = initial.flatMap((present, n) => (present ? [n + 1] : []));
            const atStart = [...uids];
            const everRemoved = new Set<number>();
            const seen: Array<number> = [];
            let position = Infinity;
            let below = Infinity;
            for (let step = 0; position > 1; step++) {
              const change = changes[step % changes.length]!;
              const vanishing = new Set([uids[change.vanish % Math.max(1, uids.length)] ?? -1]);
              const { view } = viewOf(uids, vanishing);
              const page = await Effect.runPromise(
                collect(view, position === Infinity ? view.total : position - 1, below, limit),
              );
              seen.push(...page.messages.map(({ uid }) => uid));
              position = page.position;
              below = page.messages.at(-1)?.uid ?? below;
              for (const uid of vanishing) everRemoved.add(uid);
              for (const n of change.remove) if (uids[n] !== undefined) everRemoved.add(uids[n]);
              const next = Math.max(100, ...uids) + 1;
              uids = [
                ...uids.filter((uid) => !everRemoved.has(uid)),
                ...Array.from({ length: change.arrive }, (_, n) => next + n),
              ];
            }
            expect(new Set(seen).size).toBe(seen.length);
            expect(seen).toEqual(seen.toSorted((a, b) => b - a));
            for (const uid of atStart) if (!everRemoved.has(uid)) expect(seen).toContain(uid);
          },
        ),
        { numRuns: 300 },
      ),
    ),
  );

  it.effect("reads once if nothing was removed, and skips a mass removal", () =>
    Effect.gen(function* () {
      const uids = Array.from({ length: 10_000 }, (_, n) => n + 1);
      const plain = viewOf(uids);
      const page = yield* collect(plain.view, 10_000, Infinity, 50);
      expect(page.messages.map(({ uid }) => uid)).toEqual(Array.from({ length: 50 }, (_, n) => 10_000 - n));
      expect(plain.reads()).toBe(1);

      const thinned = viewOf([...uids.slice(0, 10), ...uids.slice(9_000)]);
      const next = yield* collect(thinned.view, 8_999, 9_000, 5);
      expect(next.messages.map(({ uid }) => uid)).toEqual([10, 9, 8, 7, 6]);
      expect(thinned.reads()).toBeLessThanOrEqual(2);
    }),
  );
});
