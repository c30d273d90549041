import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Bones } from "../ui/Bones.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty, Failed } from "../ui/State.tsx";
import { type EmailSource, useEmails } from "./emails.ts";
import { MessageRow } from "./MessageRow.tsx";

export interface MessageListProps {
  readonly source: EmailSource;
  readonly openId: string | null;
  readonly hrefOf: (id: string) => string;
  readonly isOurs: boolean;
  readonly emptyTitle: string;
}

/** The messages of a folder or a search. `j` and `k` go through them; more come when the end is near. */
export const MessageList = ({ source, openId, hrefOf, isOurs, emptyTitle }: MessageListProps) => {
  const emails = useEmails(source);
  const list = useRef<HTMLUListElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  const all = emails.data?.pages.flatMap((page) => page.emails) ?? [];
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = emails;

  const step = (by: 1 | -1): void => {
    const focused = document.activeElement?.getAttribute("data-message") ?? openId;
    const index = all.findIndex(({ id }) => id === focused);
    const next = all[index === -1 ? 0 : index + by];
    if (next === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(next.id)}"]`);
    row?.focus();
    row?.scrollIntoView({ block: "nearest" });
    if (openId !== null) navigate(hrefOf(next.id));
  };
  useShortcuts({ j: () => step(1), k: () => step(-1) });

  useEffect(() => {
    if (end.current === null || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void fetchNextPage(), {
      rootMargin: "600px",
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  if (emails.isPending) return <Bones rows={9} label="messages" />;
  if (emails.isError && all.length === 0) return <Failed error={emails.error} onRetry={emails.refetch} />;
  if (all.length === 0) return <Empty title={emptyTitle} />;
  return (
    <>
      <ul ref={list} className="rows">
        {all.map((email) => (
          <MessageRow
            key={email.id}
            email={email}
            href={hrefOf(email.id)}
            isOpen={email.id === openId}
            isOurs={isOurs}
          />
        ))}
      </ul>
      <div ref={end} className="rows-end">
        {isFetchingNextPage && <span className="soft small">Loading more…</span>}
        {isFetchNextPageError && (
          <>
            <span className="small">More could not be loaded.</span>
            <Button onPress={() => void fetchNextPage()}>Try again</Button>
          </>
        )}
        {!hasNextPage && <span className="soft small">That is all.</span>}
      </div>
    </>
  );
};
