import { assert, layer } from "@effect/vitest";
import { type AccountId, Entropy, type OpaqueIds } from "@postern/core/shared";
import type { CredentialVault } from "@postern/core/auth";
import { type FolderRecords, Folders, type MailboxTree } from "@postern/core/folders";
import { type MessageSearch, Search, type SearchCriteria } from "@postern/core/messages";
import { FollowedMailboxes } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { servicesWithoutStore } from "../../fixtures/services-without-store.ts";
import { noPreviews } from "../../fixtures/no-previews.ts";
import { ALL_CRITERIA, FIRST_SEARCHES, isInBodies, SEARCHED } from "./search-cases.ts";

type SearchRequest = Parameters<Search["Service"]["list"]>[1];

/** Returns search criteria in the form of a request, with times instead of days. */
const requestOf = ({ arrivedFrom, arrivedBefore, ...criteria }: SearchCriteria): SearchRequest => ({
  ...criteria,
  ...(arrivedFrom === undefined ? {} : { since: new Date(arrivedFrom).toISOString() }),
  ...(arrivedBefore === undefined ? {} : { before: new Date(arrivedBefore).toISOString() }),
});

const COPIES = 3;

/**
 * Adds the messages of the search cases to a folder. All differ, because a server may treat equal messages as copies of
 * one.
 */
const fill = Effect.fnUntraced(function* (account: AccountId, folder: string, times: number) {
  const control = yield* MailServerControl;
  for (let n = 0; n < times; n++) {
    for (const [, raw, options] of SEARCHED) {
      yield* control.append(account, folder, `X-Copy: ${folder.length}q${n}\r\n${raw}`, options);
    }
  }
});

/**
 * The contract of `Search` on any mail server (spec 5), with each parameter of a request. `inBodies`: the server under
 * test finds words of a message's body. All names but INBOX begin with `prefix`.
 */
export const searchPagingContract = <E>(
  name: string,
  ports: Layer.Layer<MessageSearch | MailboxTree | OpaqueIds | FolderRecords | CredentialVault | MailServerControl, E>,
  { inBodies = true, prefix = "" }: { readonly inBodies?: boolean; readonly prefix?: string } = {},
): void => {
  const entropy = Layer.succeed(Entropy, { id: () => Effect.sync(() => globalThis.crypto.randomUUID()) });
  const noFollower = Layer.mock(FollowedMailboxes, {});
  const search = Search.layer.pipe(
    Layer.provide(Folders.layer),
    Layer.provide([servicesWithoutStore, noPreviews, entropy, noFollower]),
    Layer.provideMerge(ports),
  );
  layer(search, { excludeTestServices: true })(name, (it) => {
    const idsOf = Effect.fnUntraced(function* (account: AccountId, request: SearchRequest) {
      const found = yield* (yield* Search).list(account, request);
      return { ...found, ids: found.emails.map(({ id }) => id) };
    });

    it.effect("pages and cursors divide each search without gap or overlap, in one folder and in all [S5.4-2]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* (yield* MailServerControl).createMailbox(account, `${prefix}Projects`);
        yield* fill(account, "INBOX", COPIES);
        yield* fill(account, `${prefix}Projects`, 1);
        const everywhere = FIRST_SEARCHES.map(
          ([criteria, letters]) => [requestOf(criteria), letters.length * (COPIES + 1)] as const,
        );
        const all = { ...requestOf(ALL_CRITERIA), folder: "INBOX" };
        const cases: ReadonlyArray<readonly [SearchRequest, number]> = [...everywhere, [all, COPIES]];
        for (const [request, total] of cases) {
          if (!inBodies && isInBodies(request)) continue;
          const said = JSON.stringify(request);
          const whole = yield* idsOf(account, request);
          assert.strictEqual(whole.total, total, said);
          assert.strictEqual(new Set(whole.ids).size, total, said);
          assert.deepStrictEqual(yield* (yield* Search).ids(account, request), whole.ids, said);
          const limit = Math.ceil((total + 1) / 2);
          const first = yield* idsOf(account, { ...request, limit, page: 1 });
          const second = yield* idsOf(account, { ...request, limit, page: 2 });
          const after = yield* idsOf(account, { ...request, limit, cursor: first.nextCursor ?? undefined, page: 9 });
          assert.deepInclude(second, { page: 2, limit, total, pages: Math.ceil(total / limit) }, said);
          assert.deepStrictEqual([...first.ids, ...second.ids], whole.ids, said);
          if (first.nextCursor !== null)
            assert.deepInclude(after, { ids: second.ids, page: 2, nextCursor: null }, said);
        }
      }),
    );

    it.effect("shows each message once by cursor while mail arrives", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* fill(account, "INBOX", COPIES);
        const before = yield* idsOf(account, { related: ["<a@x>"] });
        const shown: Array<string> = [];
        let cursor: string | null | undefined;
        while (cursor !== null) {
          const page = yield* idsOf(account, { related: ["<a@x>"], limit: 2, cursor });
          shown.push(...page.ids);
          cursor = page.nextCursor;
          yield* fill(account, "INBOX", 1);
        }
        assert.deepStrictEqual(shown, before.ids);
      }),
    );
  });
};
