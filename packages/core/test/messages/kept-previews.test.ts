import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { Inbox, PageCache } from "../../src/messages/index.ts";
import type { PageRead } from "../../src/messages/PageCache.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

/** Lists INBOX with previews three times, from a page that is kept; returns the previews, and how often they were asked for. */
const listed = (previews: ReadonlyMap<string, string | null>) =>
  Effect.gen(function* () {
    const mail = new MailboxWorld([{ id: "INBOX", role: "inbox", messages: [stored(1), stored(2)] }]);
    mail.previews = previews;
    let kept: PageRead | undefined;
    const keeping = Layer.mock(PageCache, {
      page: (_, read) =>
        Effect.gen(function* () {
          kept ??= yield* read(undefined);
          return kept && { page: kept.page, age: 0 };
        }),
    });
    const all = yield* Effect.gen(function* () {
      const { list } = yield* Inbox;
      return yield* Effect.forEach([1, 2, 3], () => list(ME, { previews: true }));
    }).pipe(Effect.provide(Inbox.layer.pipe(Layer.provide(keeping), Layer.provide(mail.layer))));
    const found = all.map(({ page }) => page.emails.map(({ preview }) => preview));
    return { found, asked: mail.log.filter((one) => one.startsWith("preview")).length };
  });

describe("a kept page", () => {
  it.effect("has its previews asked for once if all are known, also those of messages without text", () =>
    Effect.gen(function* () {
      const known = new Map([
        [idOf("INBOX", 2), "Dear"],
        [idOf("INBOX", 1), null],
      ]);
      expect(yield* listed(known)).toEqual({ found: Array(3).fill(["Dear", null]), asked: 1 });
    }),
  );

  it.effect("has its previews asked for again while one is missing", () =>
    Effect.gen(function* () {
      expect(yield* listed(new Map([[idOf("INBOX", 2), "Dear"]]))).toEqual({
        found: Array(3).fill(["Dear", null]),
        asked: 3,
      });
    }),
  );
});
