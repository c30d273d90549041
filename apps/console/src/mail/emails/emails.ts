import { queryOptions } from "@tanstack/react-query";
import { api, queries } from "../../api/client.ts";
import type { Email } from "./email.ts";
import { applyPendingChanges } from "./pending-changes.ts";

export type { Email } from "./email.ts";

/** A page of a folder's messages or of search results. */
export interface EmailPage {
  readonly emails: ReadonlyArray<Email>;
  readonly total: number;
  /** The number of folders that the mail server did not search in time. */
  readonly unsearched: number;
}

export const FILTERS = ["all", "unread", "flagged", "attachments"] as const;

export type Filter = (typeof FILTERS)[number];

/** A search, as the user wrote it. */
export interface SearchSource {
  readonly text: string;
  /** The id of the folder to search; null for all folders. */
  readonly within: string | null;
  /** Whether bodies are searched too; for this, mail servers read all bodies. */
  readonly isDeep: boolean;
}

/** The source of a list of messages: a folder by its id, or a search, with an optional filter. */
export type EmailSource = ({ readonly folder: string } | SearchSource) & { readonly filter: Filter };

export const PAGE_SIZE = 50;

/** The maximum page size of the service. */
const MAX_PAGE = 200;

/** The filters as parts of a search in one line (spec 5.4). */
const FILTER_WORDS = { all: "", unread: "is:unread", flagged: "is:flagged", attachments: "has:attachment" } as const;

interface Paging {
  readonly limit: number;
  readonly page?: number;
  readonly cursor?: string;
  readonly preview?: false;
}

const list = async (source: EmailSource, paging: Paging, signal?: AbortSignal) => {
  const rest = signal === undefined ? {} : { signal };
  const words = FILTER_WORDS[source.filter];
  if ("folder" in source) {
    const query = { folder: source.folder, ...paging };
    return words === ""
      ? api("GET /api/inbox", { query, ...rest })
      : api("GET /api/search", { query: { ...query, q: words }, ...rest });
  }
  const { text, within, isDeep } = source;
  const scope = isDeep ? ("all" as const) : ("headers" as const);
  const where = within === null ? {} : { folder: within };
  const query = { q: `${text} ${words}`.trim(), scope, order: "date" as const, ...where, ...paging };
  return api("GET /api/search", { query, ...rest });
};

/** A page of a source by its number, from 1, with changes that the service may not have carried out yet. */
export const pageQuery = (source: EmailSource, page: number) =>
  queryOptions({
    queryKey: ["emails", source, page] as const,
    queryFn: async ({ signal }): Promise<EmailPage> => {
      const answer = await list(source, { page, limit: PAGE_SIZE }, signal);
      const { emails, total } = answer;
      const shown = applyPendingChanges(emails);
      const unsearched = "incomplete" in answer ? answer.incomplete.unsearched : 0;
      return { emails: shown, total: total - (emails.length - shown.length), unsearched };
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

/** Returns the number of messages of a source, according to the last page that was read; 0 without a page. */
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
      limit: MAX_PAGE,
      preview: false,
      ...(cursor === "" ? {} : { cursor }),
    });
    all.push(...answer.emails);
    onRead(all.length, answer.total);
    cursor = answer.nextCursor;
  }
  return applyPendingChanges(all);
};
