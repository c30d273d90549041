import { useInfiniteQuery } from "@tanstack/react-query";

const POLL_MILLIS = 10_000;

/** One page of a list of the API (spec 2.8). */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>;
  readonly nextCursor: string | null;
}

/** The position of a page in the query of its request; empty for the first page. */
interface Position {
  readonly cursor?: string;
}

/** Reads a list page by page, and again every 10 seconds while the list is shown. */
export const usePages = <Item>(
  key: ReadonlyArray<unknown>,
  read: (at: Position, signal: AbortSignal) => Promise<Page<Item>>,
) =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: POLL_MILLIS,
    staleTime: 0,
  });

/** Returns the entries of all pages of a list. */
export const everyPage = async <Item>(read: (at: Position) => Promise<Page<Item>>): Promise<ReadonlyArray<Item>> => {
  const items: Array<Item> = [];
  let at: Position | null = {};
  while (at !== null) {
    const { data, nextCursor }: Page<Item> = await read(at);
    items.push(...data);
    at = nextCursor === null ? null : { cursor: nextCursor };
  }
  return items;
};
