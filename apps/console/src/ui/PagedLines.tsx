import type { ReactNode } from "react";
import { Bones } from "./Bones.tsx";
import { Button } from "./Button.tsx";
import { Failed } from "./Failed.tsx";
import type { usePages } from "./paged.ts";

export interface PagedLinesProps<Item> {
  readonly pages: ReturnType<typeof usePages<Item>>;
  readonly label: string;
  /** The text while the first page is read. */
  readonly loading: string;
  /** The text of the button that reads the next page. */
  readonly more: string;
  readonly children: (item: Item) => ReactNode;
  /** Shown in place of an empty list. */
  readonly empty: ReactNode;
}

/** The lines of a list that is read page by page. */
export const PagedLines = <Item,>({ pages, label, loading, more, children, empty }: PagedLinesProps<Item>) => {
  const items = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  if (pages.isPending) return <Bones rows={5} label={loading} />;
  if (pages.isError && items.length === 0) return <Failed error={pages.error} onRetry={pages.refetch} />;
  if (items.length === 0) return empty;
  return (
    <>
      <ul className="lines" aria-label={label}>
        {items.map(children)}
      </ul>
      {pages.hasNextPage && (
        <div className="buttons more">
          <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
            {more}
          </Button>
        </div>
      )}
    </>
  );
};
