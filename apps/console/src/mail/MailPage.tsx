import { lazy, Suspense, useEffect } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Empty } from "../ui/Empty.tsx";
import type { EmailSource } from "./emails.ts";
import { type Folder, folderName, useFolders } from "./folders.ts";
import { MessageList } from "./MessageList.tsx";
import { SearchBox } from "./SearchBox.tsx";
import "./mail.css";

const MessageView = lazy(() => import("./MessageView.tsx"));

export interface MailPageProps {
  readonly params: { readonly folder?: string; readonly message?: string };
}

/** A folder or search results, with the open message beside it. */
export const MailPage = ({ params }: MailPageProps) => {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const folders = useFolders();
  const text = search.get("q") ?? "";
  const folder = folders.data?.find(({ id }) => id === params.folder);
  const isSearch = params.folder === undefined;
  const source: EmailSource = isSearch ? { text } : { folder: params.folder! };
  const base = isSearch ? "/search" : `/mail/${params.folder!}`;
  const query = isSearch ? `?q=${encodeURIComponent(text)}` : "";
  const title = isSearch ? `Search results for “${text}”` : folder === undefined ? "Folder" : folderName(folder);
  const openId = params.message ?? null;

  useEffect(() => {
    document.title = `${title}${folder !== undefined && folder.unreadCount > 0 ? ` (${folder.unreadCount})` : ""} · Postern`;
  }, [title, folder]);
  useShortcuts({ u: () => navigate(`${base}${query}`) });

  return (
    <main className={openId === null ? "mail" : "mail reading"}>
      <section className="mail-list" aria-label={title}>
        <header className="mail-head">
          <div className="mail-title">
            <h1 dir="auto">{title}</h1>
            <p className="soft small">{isSearch ? "In all folders" : counts(folder)}</p>
          </div>
          <SearchBox text={text} />
        </header>
        <MessageList
          key={isSearch ? `?${text}` : params.folder}
          source={source}
          openId={openId}
          hrefOf={(id) => `${base}/${id}${query}`}
          isOurs={folder?.role === "sent" || folder?.role === "drafts"}
          emptyTitle={isSearch ? "No messages found" : "No messages here"}
        />
      </section>
      <section className="mail-read" aria-label="Message">
        {openId === null ? (
          <Empty title="No message selected">
            <p>
              <kbd>j</kbd> and <kbd>k</kbd> select the next and previous message, <kbd>?</kbd> shows all shortcuts.
            </p>
          </Empty>
        ) : (
          <Suspense fallback={null}>
            <MessageView key={openId} id={openId} backTo={`${base}${query}`} />
          </Suspense>
        )}
      </section>
    </main>
  );
};

const counts = (folder: Folder | undefined): string => {
  if (folder === undefined) return "\u00a0";
  const all = `${folder.totalCount} ${folder.totalCount === 1 ? "message" : "messages"}`;
  return folder.unreadCount === 0 ? all : `${all}, ${folder.unreadCount} unread`;
};
