import { Effect } from "effect";
import type { Folders } from "../../folders/index.ts";
import { type AccountId, InputInvalid } from "../../shared/index.ts";
import { failOn } from "../../shared/neighbours.ts";
import { readSearch, type WrittenSearch } from "./read-search.ts";
import type { SearchCriteria, SearchScope } from "../SearchCriteria.ts";

/** The parameters of a search (spec 5.4). */
export interface SearchRequest extends Omit<SearchCriteria, "arrivedFrom" | "arrivedBefore"> {
  /** A search in one line, with operators (spec 5.4). */
  readonly q?: string | undefined;
  /** The folder to search; undefined for all folders. */
  readonly folder?: string | undefined;
  /** The id of a folder, instead of `folder`. */
  readonly folderId?: string | undefined;
  /** Where `text` is searched; by default everywhere. */
  readonly scope?: SearchScope | undefined;
  /** `date`: merged over folders. `folder`: folder by folder, the default. */
  readonly order?: "date" | "folder" | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  /** The cursor, which overrides the page. */
  readonly cursor?: string | undefined;
  /** Whether to add previews; by default false. */
  readonly previews?: boolean | undefined;
}

/** Returns a request with the criteria in `q` as fields. A criterion of `q` must not also be given as a field. */
export const completeSearch = Effect.fnUntraced(function* (
  folders: Folders["Service"],
  account: AccountId,
  request: SearchRequest,
) {
  const { q } = request;
  if (q === undefined) return request;
  const written = yield* Effect.mapError(Effect.fromResult(readSearch(q)), (errors) => new InputInvalid({ errors }));
  const given = Object.entries(request).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  yield* failOn(
    given
      .filter((name) => (name === "folderId" ? "folder" : name) in written)
      .map((field) => ({ field, message: "is given in q, too" })),
  );
  return completed(request, yield* withFolderId(folders, account, written));
});

/**
 * Finds the folder of `in:` by its id, path or name, like other folder parameters, or else by its role or by its path
 * in any letter case.
 */
const withFolderId = Effect.fnUntraced(function* (
  folders: Folders["Service"],
  account: AccountId,
  written: WrittenSearch,
) {
  const { folder } = written;
  if (folder === undefined) return written;
  const folded = folder.toLowerCase();
  const found = yield* folders.resolve(account, folder).pipe(
    Effect.catchTag("FolderNotFound", (notFound) =>
      Effect.flatMap(folders.list(account), (listed) => {
        const alike =
          listed.find(({ role }) => role === folded) ?? listed.find(({ path }) => path.toLowerCase() === folded);
        return alike === undefined ? Effect.fail(notFound) : Effect.succeed(alike);
      }),
    ),
  );
  return { ...written, folder: found.id };
});

/** A request with all parameters required, so that the compiler finds a missing one. */
type WholeRequest = { readonly [K in keyof Required<SearchRequest>]: SearchRequest[K] };

const completed = (request: SearchRequest, written: WrittenSearch): WholeRequest => ({
  from: written.from ?? request.from,
  to: written.to ?? request.to,
  cc: written.cc ?? request.cc,
  subject: written.subject ?? request.subject,
  text: written.text ?? request.text,
  since: written.since ?? request.since,
  before: written.before ?? request.before,
  unread: written.unread ?? request.unread,
  flagged: written.flagged ?? request.flagged,
  hasAttachments: written.hasAttachments ?? request.hasAttachments,
  label: written.label ?? request.label,
  terms: written.terms ?? request.terms,
  folder: written.folder ?? request.folder,
  q: request.q,
  folderId: request.folderId,
  messageId: request.messageId,
  headers: request.headers,
  larger: request.larger,
  smaller: request.smaller,
  threadId: request.threadId,
  related: request.related,
  scope: request.scope,
  order: request.order,
  page: request.page,
  limit: request.limit,
  cursor: request.cursor,
  previews: request.previews,
});
