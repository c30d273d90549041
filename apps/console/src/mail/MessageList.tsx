import { useEffect, useMemo, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Bones } from "../ui/Bones.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Failed } from "../ui/Failed.tsx";
import { type EmailSource, useEmails } from "./emails.ts";
import { focusRow, useListFocus } from "./list-focus.ts";
import { byArrival } from "./listed-order.ts";
import { MessageRow } from "./MessageRow.tsx";
import { useMessage } from "./message.ts";
import { useSeekOpen } from "./seek-open.ts";

export interface MessageListProps {
  readonly source: EmailSource;
  readonly openId: string | null;
  readonly hrefOf: (id: string) => string;
  readonly isOurs: boolean;
  readonly emptyTitle: string;
}

/** The messages of a folder or a search. `j` and `k` move the focus; the next page loads near the end. */
export const MessageList = ({ source, openId, hrefOf, isOurs, emptyTitle }: MessageListProps) => {
  const emails = useEmails(source);
  const { data: message } = useMessage(openId);
  const list = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  const all = useMemo(() => byArrival(emails.data?.pages.flatMap((page) => page.emails) ?? []), [emails.data]);
  const { hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = emails;

  const step = (by: 1 | -1): void => {
    const focused = document.activeElement?.getAttribute("data-message") ?? openId;
    const index = all.findIndex(({ id }) => id === focused);
    const next = all[index === -1 ? 0 : index + by];
    if (next === undefined) return;
    focusRow(list.current, next.id);
    if (openId !== null) navigate(hrefOf(next.id));
  };
  useShortcuts({ j: () => step(1), k: () => step(-1) });
  useListFocus(list, all, openId);
  useSeekOpen(
    list,
    all,
    { id: openId, message },
    { hasNextPage, isFetching, isError: isFetchNextPageError, fetchNextPage },
  );

  useEffect(() => {
    if (end.current === null || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && void fetchNextPage(), {
      rootMargin: "600px",
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  return (
    <div ref={list} className="mail-rows" tabIndex={-1}>
      {emails.isPending ? (
        <Bones rows={9} label="messages" />
      ) : emails.isError && all.length === 0 ? (
        <Failed error={emails.error} onRetry={emails.refetch}>
          <Link href="/mail/inbox" className="button">
            Go to the inbox
          </Link>
        </Failed>
      ) : all.length === 0 ? (
        <Empty title={emptyTitle} />
      ) : (
        <>
          <ul className="rows">
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
                <span className="small">More messages could not be loaded.</span>
                <Button onPress={() => void fetchNextPage()}>Try again</Button>
              </>
            )}
            {!hasNextPage && <span className="soft small">No more messages</span>}
          </div>
        </>
      )}
    </div>
  );
};
