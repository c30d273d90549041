import { Context, Effect, Layer, Option } from "effect";
import {
  type FolderAmbiguous,
  foldLabel,
  FolderNotFound,
  FolderNotSelectable,
  type MailboxAccessError,
} from "../mail/index.ts";
import { Folders } from "../folders/index.ts";
import { type AccountId, type InputInvalid, OpaqueIds } from "../shared/index.ts";
import { checkQuery, checkSearch } from "./check-messages.ts";
import { clampLimit, type Cursor, decodeCursor, encodeCursor, pageCount } from "./page.ts";
import { CursorMalformed, CursorStale, type SearchCharsetRefused } from "./errors.ts";
import {
  type FolderFinds,
  type FolderEntry,
  MAX_CONCURRENT_FOLDERS,
  readFinds,
  searchableFolders,
  searchFolders,
} from "./search-folders.ts";
import { MessageSearch } from "./ports/MessageSearch.ts";
import { Previews } from "./Previews.ts";
import { MAX_BATCH } from "./rules.ts";
import { criteriaOf, type SearchCriteria, type SearchScope } from "./SearchCriteria.ts";

export interface SearchRequest extends Omit<SearchCriteria, "arrivedFrom" | "arrivedBefore"> {
  /** Undefined: all folders. */
  readonly folder?: string | undefined;
  /** In place of `folder`: an id alone. */
  readonly folderId?: string | undefined;
  /** Where `text` is searched; everywhere by default. */
  readonly scope?: SearchScope | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  /** Overrides the page. */
  readonly cursor?: string | undefined;
  /** Whether the messages have previews; false by default. */
  readonly previews?: boolean | undefined;
}

/** Search results as a listing: folder after folder, newest arrival first in each. */
export interface FoundPage {
  /** The searched folder; null for all. */
  readonly folder: FolderFinds["folder"] | null;
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly unread: number;
  readonly pages: number;
  readonly nextCursor: string | null;
  readonly emails: ReadonlyArray<FolderEntry>;
}

type SearchError =
  | InputInvalid
  | MailboxAccessError
  | FolderNotFound
  | FolderAmbiguous
  | FolderNotSelectable
  | SearchCharsetRefused;

/** Searches the messages of an account (spec 5). */
export class Search extends Context.Service<
  Search,
  {
    readonly list: (
      account: AccountId,
      request: SearchRequest,
    ) => Effect.Effect<FoundPage, SearchError | CursorMalformed | CursorStale>;
    /** Returns the ids of the results of a batch's query, newest first in each folder. */
    readonly ids: (account: AccountId, request: SearchRequest) => Effect.Effect<ReadonlyArray<string>, SearchError>;
    /** Returns the labels that the folders of an account know, each once without case. */
    readonly labels: (account: AccountId) => Effect.Effect<ReadonlyArray<string>, MailboxAccessError>;
  }
>()("@postern/core/messages/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const opaque = yield* OpaqueIds;
      const messages = yield* MessageSearch;
      const previews = yield* Previews;

      const search = Effect.fnUntraced(function* (account: AccountId, request: SearchRequest) {
        const { folderId, folder: wanted = folderId } = request;
        const criteria = criteriaOf(request);
        if (wanted === undefined) {
          const all = yield* searchableFolders(folders, account);
          return { folder: null, finds: yield* searchFolders(messages, account, all, criteria) };
        }
        const folder = yield* folders.resolve(account, wanted);
        if (folderId !== undefined && folder.id !== folderId) return yield* new FolderNotFound();
        if (!folder.selectable) return yield* new FolderNotSelectable();
        return { folder, finds: yield* searchFolders(messages, account, [folder], criteria) };
      });

      const list = Effect.fn("Search.list")(function* (account: AccountId, request: SearchRequest) {
        yield* checkSearch(request);
        const cursor = yield* readCursor(request.cursor);
        const { folder, finds } = yield* search(account, request);
        const total = finds.reduce((sum, { uids }) => sum + uids.length, 0);
        const limit = clampLimit(request.limit);
        const skipped = cursor === undefined ? ((request.page ?? 1) - 1) * limit : yield* shownBy(finds, cursor);

        const emails: Array<FolderEntry> = [];
        let last: Cursor | undefined;
        let [skip, room] = [skipped, limit];
        for (const found of finds) {
          const newest = found.uids.toReversed().slice(skip, skip + room);
          skip = Math.max(0, skip - found.uids.length);
          room -= newest.length;
          emails.push(...(yield* readFinds(messages, opaque, account, found, newest)));
          const lowest = newest.at(-1);
          if (lowest === undefined) continue;
          last = { folderId: found.folder.id, uidValidity: found.uidValidity, uid: lowest, position: 1 };
        }
        const found =
          request.previews === true ? yield* previews.of(account, emails) : new Map<string, string | null>();
        const isEnd = skipped + (limit - room) >= total || last === undefined;
        return {
          folder,
          page: cursor === undefined ? (request.page ?? 1) : Math.floor(skipped / limit) + 1,
          limit,
          total,
          unread: finds.reduce((sum, { unread }) => sum + unread.length, 0),
          pages: pageCount(total, limit),
          nextCursor: isEnd || last === undefined ? null : encodeCursor(last),
          emails: emails.map((entry) => ({ ...entry, preview: found.get(entry.id) ?? null })),
        };
      });

      const ids = Effect.fn("Search.ids")(function* (account: AccountId, request: SearchRequest) {
        yield* checkQuery(request);
        const { finds } = yield* search(account, request);
        return finds
          .flatMap(({ folder, uidValidity, uids }) =>
            opaque.messageIds(account, folder.id, uidValidity, uids.slice(-MAX_BATCH).toReversed()),
          )
          .slice(0, MAX_BATCH);
      });

      const labels = Effect.fn("Search.labels")(function* (account: AccountId) {
        const known = yield* Effect.forEach(
          yield* searchableFolders(folders, account),
          ({ path }) =>
            // A folder that was deleted meanwhile has no results.
            Effect.catchTag(messages.labels(account, path), ["FolderNotFound", "FolderNotSelectable"], () =>
              Effect.succeed([]),
            ),
          { concurrency: MAX_CONCURRENT_FOLDERS },
        );
        const labels = known
          .flat()
          .toReversed()
          .map((label) => [foldLabel(label), label] as const);
        return [...new Map(labels).values()].sort();
      });

      return Search.of({ list, ids, labels });
    }),
  );
}

/** Returns the number of results before the position of a cursor. */
const shownBy = (
  finds: ReadonlyArray<FolderFinds>,
  cursor: Cursor,
): Effect.Effect<number, CursorMalformed | CursorStale> => {
  const at = finds.findIndex(({ folder }) => folder.id === cursor.folderId);
  const found = finds[at];
  if (found === undefined) return Effect.fail(new CursorMalformed());
  if (found.uidValidity !== cursor.uidValidity) return Effect.fail(new CursorStale());
  const before = finds.slice(0, at).reduce((sum, { uids }) => sum + uids.length, 0);
  return Effect.succeed(before + found.uids.filter((uid) => uid >= cursor.uid).length);
};

const readCursor = (text: string | undefined): Effect.Effect<Cursor | undefined, CursorMalformed> =>
  text === undefined
    ? Effect.undefined
    : Option.match(decodeCursor(text), { onNone: () => new CursorMalformed(), onSome: Effect.succeed });
