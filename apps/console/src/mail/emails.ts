import type { ApiAnswer } from "@postern/client/browser";
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { api, queries } from "../api/client.ts";

export type Email = ApiAnswer<"GET /api/inbox">["emails"][number];

/** A page of a folder's messages or of search results. */
export interface EmailPage {
  readonly emails: ReadonlyArray<Email>;
  readonly nextCursor: string | null;
  readonly total: number;
}

/** The source of a list of messages: a folder by its id, or a search. */
export type EmailSource = { readonly folder: string } | { readonly text: string };

type Pages = InfiniteData<EmailPage, string | null>;

const PAGE_SIZE = 50;

const keyOf = (source: EmailSource) => ["emails", source] as const;

/** Messages that were moved or deleted. Their ids never come back: a message that is moved back gets a new one. */
const takenOut = new Set<string>();

/** Returns the page changed by `change`; null removes a message. */
const changed = <Page extends EmailPage>(page: Page, change: (email: Email) => Email | null): Page => {
  const emails = page.emails.map(change).filter((email) => email !== null);
  return { ...page, emails, total: page.total - (page.emails.length - emails.length) };
};

const read = async (source: EmailSource, cursor: string | null, signal?: AbortSignal): Promise<EmailPage> => {
  const paging = { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
  const rest = signal === undefined ? {} : { signal };
  const page =
    "folder" in source
      ? await api("GET /api/inbox", { query: { folder: source.folder, ...paging }, ...rest })
      : await api("GET /api/search", { query: { text: source.text, ...paging }, ...rest });
  // The server may have answered before the message left.
  return changed(page, (email) => (takenOut.has(email.id) ? null : email));
};

/** Lists the messages of a folder or a search, newest first; by cursor, so that arriving mail hides none. */
export const useEmails = (source: EmailSource) =>
  useInfiniteQuery({
    queryKey: keyOf(source),
    queryFn: ({ pageParam, signal }) => read(source, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Adds the new messages of a folder to the top of its list; the other rows stay. */
export const takeInNew = async (folder: string): Promise<void> => {
  const key = keyOf({ folder });
  if (queries.getQueryData(key) === undefined) return;
  const newest = await read({ folder }, null);
  queries.setQueryData<Pages>(key, (shown) => {
    const [first, ...rest] = shown?.pages ?? [];
    if (shown === undefined || first === undefined) return shown;
    const known = new Set(shown.pages.flatMap(({ emails }) => emails.map(({ id }) => id)));
    const fresh = newest.emails.filter(({ id }) => !known.has(id));
    // A page full of new messages: there may be more between it and the list, so start over.
    if (fresh.length === PAGE_SIZE) return { pages: [newest], pageParams: [null] };
    return { ...shown, pages: [{ ...first, emails: [...fresh, ...first.emails], total: newest.total }, ...rest] };
  });
};

/** Changes messages in all lists; `null` removes a message. */
export const changeListed = (change: (email: Email) => Email | null): void => {
  queries.setQueriesData<Pages>({ queryKey: ["emails"] }, (shown) =>
    shown === undefined ? shown : { ...shown, pages: shown.pages.map((page) => changed(page, change)) },
  );
};

/** Removes a message from all lists, and from answers that list it later. The returned function undoes the latter. */
export const takeOut = (id: string): (() => void) => {
  takenOut.add(id);
  changeListed((email) => (email.id === id ? null : email));
  return () => void takenOut.delete(id);
};
