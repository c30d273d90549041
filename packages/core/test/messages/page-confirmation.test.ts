import { it } from "@effect/vitest";
import { Effect, Layer, Metric } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AccountDirectory } from "../../src/accounts/index.ts";
import {
  type InboxPage,
  MailboxReader,
  type MailboxState,
  PageCache,
  ReadCacheSettings,
} from "../../src/messages/index.ts";
import type { KnownMessages, PageRequest } from "../../src/messages/PageCache.ts";
import { LiveInboxes } from "../../src/watch/index.ts";
import { ownMetrics } from "../doubles.ts";
import { ME } from "./mailbox-in-memory.ts";
import { summaryWith } from "./summary.ts";

const NOW = 1_900_000_000_000;
const STATE: MailboxState = { uidValidity: 1, uidNext: 10, total: 1, unread: 0, highestModSeq: 3n };
const PAGE: InboxPage = {
  folder: { id: "inbox", key: "inbox", path: "INBOX", uidValidity: 1 },
  page: 1,
  limit: 5,
  total: 1,
  unread: 0,
  pages: 1,
  nextCursor: null,
  emails: [{ id: "m9", message: summaryWith({ uid: 9 }) }],
};

const cache = Effect.gen(function* () {
  yield* TestClock.setTime(NOW);
  const world = {
    state: STATE as MailboxState | "changed" | null,
    quiet: { isHeard: true } as { isHeard: boolean } | undefined,
    probes: 0,
    /** What the reads knew of the former page. */
    reads: Array<KnownMessages | undefined>(),
  };
  const context = yield* Layer.build(
    PageCache.layer.pipe(
      Layer.provide([
        Layer.mock(MailboxReader, { probe: () => Effect.sync(() => (world.probes++, world.state)) }),
        Layer.mock(LiveInboxes, {
          startReading: () => () => {},
          markChanged: () => {},
          quietTime: () => world.quiet,
        }),
        Layer.succeed(ReadCacheSettings, { bytes: 1 << 20, isShort: Effect.succeed(false) }),
        Layer.mock(AccountDirectory, { find: () => Effect.succeedNone }),
      ]),
    ),
  );
  /** Returns the age of the answer; null if the page was read. */
  const ask = (maxAge = 0, more: Partial<PageRequest> = {}) =>
    Effect.gen(function* () {
      const before = world.reads.length;
      const pages = yield* PageCache;
      const found = yield* pages.page({ account: ME, path: "INBOX", key: "k", maxAge, ...more }, (known) =>
        Effect.sync(() => {
          world.reads.push(known);
          return { page: PAGE, state: STATE };
        }),
      );
      return world.reads.length > before ? null : found!.age;
    }).pipe(Effect.provideContext(context));
  return { world, ask };
});

describe("a kept page", () => {
  it.effect.each<readonly [string, Partial<MailboxState>]>([
    ["UIDVALIDITY", { uidValidity: 2 }],
    ["UIDNEXT", { uidNext: 11 }],
    ["number of messages", { total: 2 }],
    ["number of unread messages", { unread: 1 }],
    ["HIGHESTMODSEQ", { highestModSeq: 4n }],
  ])("is read again after a change of the %s [S5.1-8]", ([, change]) =>
    Effect.gen(function* () {
      const { world, ask } = yield* cache;
      expect(yield* ask()).toBeNull();
      expect(yield* ask()).toBe(0);
      world.state = { ...STATE, ...change };
      expect(yield* ask()).toBeNull();
    }).pipe(Effect.scoped),
  );

  it.effect("gives its messages to the next read, unless a whole page of messages arrived since", () =>
    Effect.gen(function* () {
      const { world, ask } = yield* cache;
      yield* ask();
      const known = { uidValidity: 1, messages: new Map([[9, PAGE.emails[0]!.message]]) };
      for (const [state, expected] of [
        ["changed", known],
        [null, known],
        [{ ...STATE, uidNext: 15 }, known],
        [{ ...STATE, uidNext: 16 }, undefined],
      ] as const) {
        world.state = state;
        expect(yield* ask()).toBeNull();
        expect(world.reads.at(-1)).toEqual(expected);
      }
    }).pipe(Effect.scoped),
  );

  it.effect("of a watched INBOX needs no confirmation up to the age that the client accepts", () =>
    Effect.gen(function* () {
      const { world, ask } = yield* cache;
      yield* ask();
      yield* TestClock.setTime(NOW + 500);
      expect([yield* ask(500), world.probes]).toEqual([500, 0]);
      expect([yield* ask(499), world.probes]).toEqual([0, 1]);
      // The confirmation begins a new age.
      yield* TestClock.setTime(NOW + 900);
      expect([yield* ask(400), world.probes]).toEqual([400, 1]);
      expect([yield* ask(0), world.probes]).toEqual([0, 2]);
      yield* TestClock.setTime(NOW);
      expect([yield* ask(500), world.probes]).toEqual([0, 3]);
    }).pipe(Effect.scoped),
  );

  it.effect("is confirmed if INBOX is not watched or has changed, or for another folder", () =>
    Effect.gen(function* () {
      const { world, ask } = yield* cache;
      yield* ask();
      world.quiet = { isHeard: true };
      expect([yield* ask(500), world.probes]).toEqual([0, 1]);
      world.quiet = undefined;
      expect([yield* ask(500), world.probes]).toEqual([0, 2]);
      expect([yield* ask(500), world.probes]).toEqual([0, 3]);
      world.quiet = { isHeard: true };
      yield* ask(500, { path: "A" });
      expect([yield* ask(500, { path: "A" }), world.probes]).toEqual([0, 4]);
    }).pipe(Effect.scoped),
  );

  it.effect("is counted by how it was found to be current", () =>
    Effect.gen(function* () {
      const { world, ask } = yield* cache;
      yield* ask();
      for (let n = 0; n < 2; n++) yield* ask(500);
      for (let n = 0; n < 3; n++) yield* ask();
      expect(world.reads).toHaveLength(1);
      const counts = (yield* Metric.snapshot).flatMap((one) =>
        one.type === "Counter" && one.id === "page_cache_answers_total"
          ? [[one.attributes?.["by"], Number(one.state.count)] as const]
          : [],
      );
      expect(new Map(counts)).toEqual(
        new Map([
          ["read", 1],
          ["watch", 2],
          ["probe", 3],
        ]),
      );
    }).pipe(Effect.scoped, ownMetrics),
  );
});
