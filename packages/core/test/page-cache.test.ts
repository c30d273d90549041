import { assert, it } from "@effect/vitest";
import { AccountDirectory, newAccount } from "../src/accounts/index.ts";
import type { MailServer } from "../src/mail/index.ts";
import {
  type InboxPage,
  MailboxReader,
  type MailboxState,
  PageCache,
  ReadCacheSettings,
} from "../src/messages/index.ts";
import { AccountId } from "../src/shared/index.ts";
import { LiveInboxes } from "../src/watch/index.ts";
import { Effect, Layer, Option } from "effect";

const STATE: MailboxState = { uidValidity: 1, uidNext: 2, total: 1, unread: 0, highestModSeq: 3n };
const PAGE: InboxPage = {
  folder: { id: "fld_1", key: "fld_1", path: "INBOX", uidValidity: 1 },
  page: 1,
  limit: 50,
  total: 1,
  unread: 0,
  pages: 1,
  nextCursor: null,
  emails: [],
};

/** A mailbox in which nothing changes. */
const unchanging = Layer.succeed(
  MailboxReader,
  MailboxReader.of({ view: () => Effect.die("not asked for"), probe: () => Effect.succeed(STATE) }),
);

const at = (host: string): MailServer => ({ host, port: 993, tls: "implicit", origin: "account" });
const on = (host: () => string) =>
  Layer.mock(AccountDirectory, {
    find: (account) =>
      Effect.sync(() => Option.some({ ...newAccount(account, 0), servers: { imap: at(host()), smtp: at(host()) } })),
  });

it.effect("keeps pages apart by server, also while one is being read", () =>
  Effect.gen(function* () {
    let host = "first.test";
    const settings = { bytes: 1 << 20, isShort: Effect.succeed(false) };
    const layer = PageCache.layer.pipe(
      Layer.provide([unchanging, LiveInboxes.layer, Layer.succeed(ReadCacheSettings, settings), on(() => host)]),
    );
    yield* Effect.gen(function* () {
      const cache = yield* PageCache;
      /** Lists from the account's server; the account moves to another server before the page arrives. */
      const list = Effect.fnUntraced(function* (movesTo = host) {
        const request = { account: AccountId("jane@example.org"), path: "INBOX", key: "one", maxAge: 60_000 };
        const read = Effect.sync(() => {
          host = movesTo;
          return { page: { ...PAGE, nextCursor: host }, state: STATE };
        });
        return (yield* cache.page(request, () => read))?.page.nextCursor;
      });
      assert.deepStrictEqual([yield* list(), yield* list()], ["first.test", "first.test"]);
      host = "second.test";
      assert.strictEqual(yield* list(), "second.test", "the counters are those of the first server");
      host = "third.test";
      assert.strictEqual(yield* list("fourth.test"), "fourth.test");
      host = "third.test";
      assert.strictEqual(yield* list(), "third.test", "what another server said is not kept");
    }).pipe(Effect.provide(layer));
  }),
);

it.effect("gives up all pages while the process is short of memory, and keeps them again afterwards", () =>
  Effect.gen(function* () {
    let [isShort, reads] = [false, 0];
    const settings = { bytes: 1 << 20, isShort: Effect.sync(() => isShort) };
    const layer = PageCache.layer.pipe(
      Layer.provide([unchanging, LiveInboxes.layer, Layer.succeed(ReadCacheSettings, settings), on(() => "one.test")]),
    );
    yield* Effect.gen(function* () {
      const cache = yield* PageCache;
      const readsFor = (key: string) =>
        Effect.gen(function* () {
          const before = reads;
          const request = { account: AccountId("jane@example.org"), path: "INBOX", key, maxAge: 0 };
          yield* cache.page(request, () => Effect.sync(() => (reads++, { page: PAGE, state: STATE })));
          return reads - before;
        });
      assert.deepStrictEqual([yield* readsFor("one"), yield* readsFor("one")], [1, 0]);
      isShort = true;
      assert.deepStrictEqual([yield* readsFor("two"), yield* readsFor("two")], [1, 1]);
      assert.strictEqual(yield* readsFor("one"), 1, "the page kept before");
      isShort = false;
      assert.deepStrictEqual([yield* readsFor("one"), yield* readsFor("one")], [1, 0]);
    }).pipe(Effect.provide(layer));
  }),
);

it.effect("keeps no page of a mailbox whose server gives no HIGHESTMODSEQ [S5.1-9]", () =>
  Effect.gen(function* () {
    let reads = 0;
    const settings = { bytes: 1 << 20, isShort: Effect.succeed(false) };
    const layer = PageCache.layer.pipe(
      Layer.provide([unchanging, LiveInboxes.layer, Layer.succeed(ReadCacheSettings, settings), on(() => "one.test")]),
    );
    yield* Effect.gen(function* () {
      const cache = yield* PageCache;
      const request = { account: AccountId("jane@example.org"), path: "INBOX", key: "one", maxAge: 60_000 };
      for (const times of [1, 2, 3]) {
        yield* cache.page(request, () => Effect.sync(() => (reads++, { page: PAGE, state: null })));
        assert.strictEqual(reads, times);
      }
    }).pipe(Effect.provide(layer));
  }),
);
