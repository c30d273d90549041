import { queryOptions } from "@tanstack/react-query";
import { api, queries } from "../../api/client.ts";
import type { Email } from "./email.ts";
import { findFolder, foldersQuery } from "../../shell/folders.ts";
import { asChanged } from "./pending-changes.ts";
import { searchTerms } from "./search-terms.ts";

export type { Email } from "./email.ts";

/** A page of a folder's messages or of search results. */
export interface EmailPage {
  readonly emails: ReadonlyArray<Email>;
  readonly total: number;
}

export const FILTERS = ["all", "unread", "flagged", "attachments"] as const;

export type Filter = (typeof FILTERS)[number];

/** A search, as the user wrote it. */
export interface SearchSource {
  readonly text: string;
  /** The id of the folder to search; null: all folders. */
  readonly within: string | null;
  /** Whether words are searched in bodies too. For that, mail servers read all bodies. */
  readonly isDeep: boolean;
}

/** The source of a list of messages: a folder by its id, or a search, with an optional filter. */
export type EmailSource = ({ readonly folder: string } | SearchSource) & { readonly filter: Filter };

export const PAGE_SIZE = 50;

/** The largest page that the service answers. */
const LARGEST_PAGE = 200;

const CRITERIA = {
  all: {},
  unread: { unread: true },
  flagged: { flagged: true },
  attachments: { hasAttachments: true },
} as const;

interface Paging {
  readonly limit: number;
  readonly page?: number;
  readonly cursor?: string;
  readonly preview?: false;
}

const NOTHING = { emails: [], total: 0, nextCursor: null } as const;

const list = async (source: EmailSource, paging: Paging, signal?: AbortSignal) => {
  const rest = signal === undefined ? {} : { signal };
  if ("folder" in source && source.filter === "all") {
    return api("GET /api/inbox", { query: { folder: source.folder, ...paging }, ...rest });
  }
  const where = "folder" in source ? { folder: source.folder } : await searchQuery(source);
  if (where === null) return NOTHING;
  return api("GET /api/search", { query: { ...where, ...CRITERIA[source.filter], ...paging }, ...rest });
};

/** Returns the request of a search; null if no part of the search is understood. */
const searchQuery = async ({ text, within, isDeep }: SearchSource) => {
  const { criteria, folder, isPlaced } = searchTerms(text);
  if (Object.keys(criteria).length === 0 && !isPlaced) return null;
  const named = folder === undefined ? undefined : findFolder(await queries.ensureQueryData(foldersQuery), folder);
  const where = isPlaced ? (named?.id ?? folder) : (within ?? undefined);
  return {
    ...criteria,
    ...(where === undefined ? {} : { folder: where }),
    ...(criteria.text === undefined || isDeep ? {} : { scope: "headers" as const }),
  };
};

/** A page of a source by its number, from 1, with changes that the service may not have made yet. */
export const pageQuery = (source: EmailSource, page: number) =>
  queryOptions({
    queryKey: ["emails", source, page] as const,
    queryFn: async ({ signal }): Promise<EmailPage> => {
      const { emails, total } = await list(source, { page, limit: PAGE_SIZE }, signal);
      const shown = asChanged(emails);
      return { emails: shown, total: total - (emails.length - shown.length) };
    },
  });

/** Returns the pages of a source that were read, by number. */
export const pagesRead = (source: EmailSource): ReadonlyMap<number, EmailPage> =>
  new Map(
    queries
      .getQueriesData<EmailPage>({ queryKey: ["emails", source] })
      .flatMap(([key, data]) => (data === undefined ? [] : [[key[2] as number, data] as const]))
      .toSorted(([one], [other]) => one - other),
  );

/** Returns the number of messages of a source, according to the last page that was read; 0 if none was. */
export const totalRead = (source: EmailSource): number => {
  const read = queries.getQueryCache().findAll({ queryKey: ["emails", source] });
  const [last] = read.toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  return (last?.state.data as EmailPage | undefined)?.total ?? 0;
};

/** Returns the messages of all pages that were read. */
export const emailsRead = (): ReadonlyArray<Email> =>
  queries.getQueriesData<EmailPage>({ queryKey: ["emails"] }).flatMap(([, page]) => page?.emails ?? []);

/** Reads all current messages of a source; calls `onRead` with the number read so far and the total. */
export const readAll = async (
  source: EmailSource,
  onRead: (read: number, total: number) => void = () => {},
): Promise<ReadonlyArray<Email>> => {
  const all: Array<Email> = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const answer: Awaited<ReturnType<typeof list>> = await list(source, {
      limit: LARGEST_PAGE,
      preview: false,
      ...(cursor === "" ? {} : { cursor }),
    });
    all.push(...answer.emails);
    onRead(all.length, answer.total);
    cursor = answer.nextCursor;
  }
  return asChanged(all);
};
