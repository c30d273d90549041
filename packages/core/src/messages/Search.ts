import { Context, Duration, Effect, Layer, Option } from "effect";
import {
  type FolderAmbiguous,
  foldLabel,
  FolderNotFound,
  FolderNotSelectable,
  type MailboxAccessError,
  MailServerError,
} from "../mail/index.ts";
import { Folders } from "../folders/index.ts";
import type { AccountId, InputInvalid } from "../shared/index.ts";
import { checkPage, type Page, pageOf, type PageRequest } from "../shared/neighbours.ts";
import { checkQuery, checkSearch } from "./check-messages.ts";
import { clampLimit, pageCount, readCursor } from "./page.ts";
import { CursorMalformed, type CursorStale, SearchCharsetRefused } from "./errors.ts";
import {
  type FolderEntry,
  type FolderResults,
  type Incomplete,
  incompleteness,
  readFinds,
  searchableFolders,
  searchFolders,
} from "./search-folders.ts";
import { MessageSearch } from "./ports/MessageSearch.ts";
import { Previews } from "./Previews.ts";
import { MAX_BATCH } from "./rules.ts";
import { idsAt, shownIds } from "./shown-ids.ts";
import { criteriaOf } from "./SearchCriteria.ts";
import { readDateCursor } from "./search/date-order.ts";
import { completeSearch, type SearchRequest } from "./search/SearchRequest.ts";
import { sliceByDate, sortByDate } from "./search/slice-by-date.ts";
import { sliceByFolder } from "./search/slice-by-folder.ts";

/** Search results in the form of a listing: by date, or folder by folder and in each the newest arrival first. */
export interface FoundPage {
  /** The searched folder; null for all. */
  readonly folder: FolderResults["folder"] | null;
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly unread: number;
  readonly pages: number;
  readonly nextCursor: string | null;
  /** The folders that were not searched before the time ended; `total` and `unread` do not include them. */
  readonly incomplete: Incomplete | null;
  readonly emails: ReadonlyArray<FolderEntry>;
}

/** The time limit of a search. Folders that are not searched by then are reported. */
const SEARCH_TIME = Duration.seconds(10);

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
    /** Returns the ids of the messages that match a batch's query, newest first in each folder. */
    readonly ids: (
      account: AccountId,
      request: Omit<SearchRequest, "q" | "order">,
    ) => Effect.Effect<ReadonlyArray<string>, SearchError>;
    /** Returns a page of the labels in use in the folders of an account, by name, each once regardless of case. */
    readonly labels: (
      account: AccountId,
      request: PageRequest,
    ) => Effect.Effect<Page<string>, MailboxAccessError | InputInvalid>;
  }
>()("@postern/core/messages/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const names = yield* shownIds;
      const messages = yield* MessageSearch;
      const previews = yield* Previews;

      /** Returns the folders of a request in the order of their results. */
      const foldersOf = Effect.fnUntraced(function* (account: AccountId, request: SearchRequest) {
        const { folderId, folder: wanted = folderId } = request;
        if (wanted === undefined) return { folder: null, where: yield* searchableFolders(folders, account) };
        const folder = yield* folders.resolve(account, wanted);
        if (folderId !== undefined && folder.id !== folderId) return yield* new FolderNotFound();
        if (!folder.selectable) return yield* new FolderNotSelectable();
        return { folder, where: [folder] };
      });

      /** Searches the stored folder of a request; undefined if the folder is not there now, or if the request is for all folders. */
      const searchStored = Effect.fnUntraced(function* (
        account: AccountId,
        request: SearchRequest,
        first: string | undefined,
        time?: Duration.Duration,
      ) {
        const { folderId, folder: wanted = folderId } = request;
        const stored = wanted === undefined ? Option.none() : yield* folders.findStored(account, wanted);
        if (Option.isNone(stored) || (folderId !== undefined && stored.value.id !== folderId)) return undefined;
        const { id, key, path, uidValidity } = stored.value;
        if (first !== undefined && first !== id) return undefined;
        const folder = { id, key, path };
        const searched = yield* searchFolders(messages, account, [folder], criteriaOf(request), time);
        const [found] = searched.finds;
        const isThere = found !== undefined && (uidValidity === null || found.uidValidity === uidValidity);
        return isThere || searched.left.length > 0 ? { folder, where: [folder], from: 0, ...searched } : undefined;
      });

      const searchListed = Effect.fnUntraced(function* (
        account: AccountId,
        request: SearchRequest,
        first: string | undefined,
        time?: Duration.Duration,
      ) {
        const { folder, where } = yield* foldersOf(account, request);
        const from = first === undefined ? 0 : where.findIndex(({ id }) => id === first);
        if (from === -1) return yield* new CursorMalformed();
        // The rows of this page come from the folder of the cursor and from later folders. Results in earlier folders
        // are only counted.
        const searched = yield* searchFolders(messages, account, where, criteriaOf(request), time, from);
        return { folder, where, from, ...searched };
      });

      const list = Effect.fn("Search.list")(function* (account: AccountId, asked: SearchRequest) {
        yield* checkSearch(asked);
        const request = yield* completeSearch(folders, account, asked);
        const { cursor, order, limit: asks, page = 1 } = request;
        const folderCursor = cursor === undefined || order === "date" ? undefined : yield* readCursor(cursor);
        const dateCursor = cursor === undefined || order !== "date" ? undefined : yield* readDateCursor(cursor);
        const first = (folderCursor ?? dateCursor)?.folderId;
        const searched =
          (yield* searchStored(account, request, first, SEARCH_TIME)) ??
          (yield* searchListed(account, request, first, SEARCH_TIME));
        const { folder, where, finds, left } = searched;
        if (left.length === where.length) return yield* searchTimeout();
        const limit = clampLimit(asks);
        const { skipped, shown, nextCursor } =
          order === "date"
            ? yield* sliceByDate(messages, account, searched, dateCursor, (page - 1) * limit, limit)
            : yield* sliceByFolder(searched, folderCursor, (page - 1) * limit, limit);
        const read = yield* readFinds(messages, names, account, shown);
        const emails = order === "date" ? sortByDate(searched, read) : read;
        const total = finds.reduce((sum, { uids }) => sum + uids.length, 0);
        const shownPreviews =
          request.previews === true ? yield* previews.of(account, emails) : new Map<string, string | null>();
        return {
          folder,
          page: cursor === undefined ? page : Math.floor(skipped / limit) + 1,
          limit,
          total,
          unread: finds.reduce((sum, { unread }) => sum + unread.length, 0),
          pages: pageCount(total, limit),
          nextCursor,
          incomplete: incompleteness(left),
          emails: emails.map((entry) => ({ ...entry, preview: shownPreviews.get(entry.id) ?? null })),
        };
      }, reportForQ);

      const ids = Effect.fn("Search.ids")(function* (account: AccountId, request: Omit<SearchRequest, "q" | "order">) {
        yield* checkQuery(request);
        const { finds } =
          (yield* searchStored(account, request, undefined)) ??
          (yield* Effect.catchTag(searchListed(account, request, undefined), "CursorMalformed", Effect.die));
        let room = MAX_BATCH;
        const places = finds.flatMap(({ folder, uidValidity, uids }) => {
          const newest = uids.toReversed().slice(0, room);
          room -= newest.length;
          return newest.length === 0 ? [] : [{ folderId: folder.key, uidValidity, uids: newest }];
        });
        return (yield* idsAt(names, account, places)).ids.flat();
      });

      const labels = Effect.fn("Search.labels")(function* (account: AccountId, request: PageRequest) {
        yield* checkPage(request);
        const paths = (yield* searchableFolders(folders, account)).map(({ path }) => path);
        const known = yield* messages.labels(account, paths);
        const labels = new Map(known.toReversed().map((label) => [foldLabel(label), label]));
        return yield* pageOf(request, [...labels.values()], (label) => ({ at: 0, id: label }));
      });

      return Search.of({ list, ids, labels });
    }),
  );
}

/**
 * Reports an error in a search line under the field `q`, because the criteria in the line are not parameters of the
 * request.
 */
const reportForQ = <A, E, R>(
  found: Effect.Effect<A, E | SearchCharsetRefused, R>,
  _: AccountId,
  { q }: SearchRequest,
): Effect.Effect<A, E | SearchCharsetRefused, R> =>
  Effect.mapError(found, (error) =>
    q !== undefined && error instanceof SearchCharsetRefused ? new SearchCharsetRefused({ criteria: ["q"] }) : error,
  );

const searchTimeout = () =>
  new MailServerError({ reason: "timeout", operation: "search", detail: "no folder was searched in 10 seconds" });
