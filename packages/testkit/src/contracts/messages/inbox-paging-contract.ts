import { assert, layer } from "@effect/vitest";
import { AccountDirectory } from "@postern/core/accounts";
import { type AccountId, Entropy, type OpaqueIds } from "@postern/core/shared";
import type { CredentialVault } from "@postern/core/auth";
import { type FolderRecords, Folders, type MailboxTree } from "@postern/core/folders";
import { Inbox, type MailboxReader, PageCache } from "@postern/core/messages";
import { FollowedMailboxes, LiveInboxes } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import * as fc from "fast-check";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { plainMessage } from "../../fixtures/mail-messages.ts";
import { servicesWithoutStore } from "../../fixtures/services-without-store.ts";
import { noPreviews } from "../../fixtures/no-previews.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";

/** Changes of the mailbox before the next page. */
interface Meanwhile {
  readonly arrivals: number;
  /** The messages to remove, as fractions of those present. */
  readonly removals: ReadonlyArray<number>;
}

const MEANWHILE: fc.Arbitrary<Meanwhile> = fc.record({
  arrivals: fc.integer({ min: 0, max: 3 }),
  removals: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 4 }),
});

/** A change by another client: the message is the fraction `at` of those present. */
interface ForeignChange {
  readonly kind: "arrival" | "removal" | "swap" | "nothing" | keyof typeof FLAGS_OF;
  readonly at: number;
}

const FLAGS_OF = { seen: ["\\Seen"], flagged: ["\\Flagged"], answered: ["\\Answered", "\\Seen"], plain: [] } as const;

const FOREIGN_CHANGE: fc.Arbitrary<ForeignChange> = fc.record({
  kind: fc.constantFrom("arrival", "removal", "swap", "nothing", "seen", "flagged", "answered", "plain"),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

const onOneServer = Layer.mock(AccountDirectory, { find: () => Effect.succeedNone });

const noFollower = Layer.mock(FollowedMailboxes, { find: () => Effect.succeedNone });

const plainEntropy = Layer.succeed(Entropy, { id: () => Effect.sync(() => globalThis.crypto.randomUUID()) });

/** Reads every page of a folder, newest first, with changes between the pages. */
const readThrough = Effect.fnUntraced(function* (
  account: AccountId,
  folder: string,
  limit: number,
  meanwhile: (page: number) => Effect.Effect<void>,
) {
  const inbox = yield* Inbox;
  const shown: Array<number> = [];
  const ids: Array<string> = [];
  let cursor: string | null | undefined;
  for (let page = 0; cursor !== null; page++) {
    assert.isBelow(page, 200, "the pages come to an end");
    const { page: answer } = yield* inbox.list(account, { folder, limit, cursor });
    assert.isAtMost(answer.emails.length, limit);
    shown.push(...answer.emails.map((email) => email.message.uid));
    ids.push(...answer.emails.map((email) => email.id));
    cursor = answer.nextCursor;
    yield* meanwhile(page);
  }
  assert.strictEqual(new Set(ids).size, ids.length, "no id twice");
  return shown;
});

/**
 * The contract of `Inbox` on any mail server (spec 5). Following the cursor shows no message twice, and skips no
 * message that was present throughout, regardless of arrivals and removals between pages. All names but INBOX begin
 * with `prefix`.
 */
export const inboxPagingContract = <E>(
  name: string,
  ports: Layer.Layer<MailboxReader | MailboxTree | OpaqueIds | FolderRecords | CredentialVault | MailServerControl, E>,
  { runs, prefix = "" }: { readonly runs: number; readonly prefix?: string },
): void => {
  const inbox = Inbox.layer.pipe(
    Layer.provide(Layer.provide(PageCache.layer, [LiveInboxes.layer, onOneServer])),
    Layer.provide(Folders.layer),
    Layer.provide([servicesWithoutStore, noPreviews, plainEntropy, onOneServer, noFollower]),
    Layer.provideMerge(ports),
  );
  layer(inbox, { excludeTestServices: true })(name, (it) => {
    it.effect(`shows each message once by cursor (${runs} random histories) [S5.1-5]`, () =>
      Effect.gen(function* () {
        const run = Effect.runPromiseWith(yield* Effect.context<Inbox | CredentialVault | MailServerControl>());
        const property = fc.asyncProperty(
          fc.integer({ min: 0, max: 24 }),
          fc.integer({ min: 1, max: 7 }),
          fc.array(MEANWHILE, { minLength: 1, maxLength: 8 }),
          fc.constantFrom("INBOX", `${prefix}Sent`),
          (count, limit, script, folder) => run(cursorShowsEachOnce(count, limit, script, folder)),
        );
        yield* Effect.promise(() => fc.assert(property, { numRuns: runs, interruptAfterTimeLimit: 45_000 }));
      }),
    );

    it.effect(`answers each request as the mailbox is then (${runs} random histories) [S5.1-7]`, () =>
      Effect.gen(function* () {
        const run = Effect.runPromiseWith(yield* Effect.context<Inbox | CredentialVault | MailServerControl>());
        const property = fc.asyncProperty(
          fc.array(FOREIGN_CHANGE, { minLength: 1, maxLength: 12 }),
          fc.constantFrom("INBOX", `${prefix}Sent`),
          (script, folder) => run(answersAreCurrent(script, folder)),
        );
        yield* Effect.promise(() => fc.assert(property, { numRuns: runs, interruptAfterTimeLimit: 45_000 }));
      }),
    );

    it.effect("returns pages by number without gap or overlap while nothing changes", () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const inbox = yield* Inbox;
        const { account } = yield* signedInAccount;
        const uids: Array<number> = [];
        for (let n = 0; n < 11; n++) uids.push(yield* control.append(account, "INBOX", plainMessage(`${n}`)));
        const pages = yield* Effect.forEach([1, 2, 3, 4], (page) =>
          Effect.map(inbox.list(account, { page, limit: 4 }), (answer) => answer.page),
        );
        for (const page of pages) assert.deepInclude(page, { total: 11, unread: 11, pages: 3, limit: 4 });
        assert.deepStrictEqual(
          pages.map((page) => page.emails.map((email) => email.message.uid)),
          [uids.slice(7).toReversed(), uids.slice(3, 7).toReversed(), uids.slice(0, 3).toReversed(), []],
        );
      }),
    );
  });
};

/**
 * Changes a mailbox like another client, and compares the pages of three concurrent requests with the expected pages.
 */
const answersAreCurrent = Effect.fnUntraced(function* (script: ReadonlyArray<ForeignChange>, folder: string) {
  const control = yield* MailServerControl;
  const inbox = yield* Inbox;
  const { account } = yield* signedInAccount;
  /** The flags of the messages by UID, oldest first, and their subjects. */
  const present = new Map<number, { readonly subject: string; readonly flags: ReadonlyArray<string> }>();
  const append = Effect.fnUntraced(function* (subject: string) {
    present.set(yield* control.append(account, folder, plainMessage(subject)), { subject, flags: [] });
  });
  const change = Effect.fnUntraced(function* ({ kind, at }: ForeignChange) {
    const uid = [...present.keys()][Math.floor(at * present.size)];
    if (kind === "nothing") return;
    if (kind === "arrival" || uid === undefined) return yield* append(`message ${present.size}`);
    if (kind === "removal" || kind === "swap") {
      present.delete(uid);
      yield* control.expunge(account, folder, [uid]);
      if (kind === "swap") yield* append("swapped");
    } else {
      present.set(uid, { ...present.get(uid)!, flags: FLAGS_OF[kind] });
      yield* control.setFlags(account, folder, uid, FLAGS_OF[kind]);
    }
  });
  for (const step of script) {
    yield* change(step);
    const newest = [...present].toReversed().map(([uid, { subject, flags }]) => ({
      uid,
      subject,
      unread: !flags.includes("\\Seen"),
      flagged: flags.includes("\\Flagged"),
      answered: flags.includes("\\Answered"),
    }));
    const unread = newest.filter((message) => message.unread).length;
    const limits = [5, 3, 4];
    const pages = yield* Effect.forEach(limits, (limit) => inbox.list(account, { folder, limit }), { concurrency: 3 });
    for (const [n, { page }] of pages.entries()) {
      const shown = page.emails.map(({ message: { uid, subject, unread, flagged, answered } }) => {
        return { uid, subject, unread, flagged, answered };
      });
      assert.deepStrictEqual(shown, newest.slice(0, limits[n]), `after ${step.kind}`);
      assert.deepInclude(page, { total: newest.length, unread }, `after ${step.kind}`);
    }
  }
});

const cursorShowsEachOnce = Effect.fnUntraced(function* (
  count: number,
  limit: number,
  script: ReadonlyArray<Meanwhile>,
  folder: string,
) {
  const control = yield* MailServerControl;
  const { account } = yield* signedInAccount;
  const append = control.append(account, folder, plainMessage("x"));
  const present = yield* Effect.forEach(Array.from({ length: count }), () => append);
  const throughout = new Set(present);

  const meanwhile = Effect.fnUntraced(function* (page: number) {
    const { arrivals, removals } = script[page] ?? { arrivals: 0, removals: [] };
    const leaving = [...new Set(removals.map((at) => present[Math.floor(at * present.length)]))].flatMap(
      (uid) => uid ?? [],
    );
    if (leaving.length > 0) yield* control.expunge(account, folder, leaving);
    for (const uid of leaving) {
      present.splice(present.indexOf(uid), 1);
      throughout.delete(uid);
    }
    for (let n = 0; n < arrivals; n++) present.push(yield* append);
  });

  const shown = yield* readThrough(account, folder, limit, meanwhile);
  assert.deepStrictEqual(
    shown,
    [...new Set(shown)].sort((a, b) => b - a),
    "newest first, none twice",
  );
  for (const uid of throughout) assert.include(shown, uid, "none skipped");
});
