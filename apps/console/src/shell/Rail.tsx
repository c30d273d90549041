import { rich, t } from "../texts/text.ts";
import { CheckCheck, Inbox, PenLine, SendHorizontal, Settings2 } from "../ui/icons/icons.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useRoute } from "wouter";
import { api } from "../api/client.ts";
import { signedInAccounts } from "../api/signed-in.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { FolderNav } from "./FolderNav.tsx";
import { ALL_INBOXES } from "./folders.ts";
import { Wordmark } from "../ui/icons/Wordmark.tsx";

export interface RailProps {
  readonly email: string;
  readonly onHelp: () => void;
  readonly onChosen?: () => void;
}

const here = (isHere: boolean): string => (isHere ? "rail-item here" : "rail-item");

/** The main navigation: compose, folders, outbox, settings. */
export const Rail = ({ email, onHelp, onChosen }: RailProps) => {
  const [isAtSettings] = useRoute("/settings/*?");
  const chosen = onChosen === undefined ? {} : { onClick: onChosen };
  return (
    <div className="rail">
      <Link href="/" className="rail-brand" aria-label={t("Postern, go to the inbox")} {...chosen}>
        <Wordmark />
      </Link>
      <Link href="/compose" className="button primary" {...chosen}>
        <PenLine size={17} aria-hidden />
        {t("Write")}
      </Link>
      <nav aria-label={t("Mailbox")} className="rail-folders">
        {signedInAccounts().length > 1 && (
          <div className="rail-branch">
            <Link href={ALL_INBOXES} className={here} {...chosen}>
              <Inbox size={17} aria-hidden />
              <span className="rail-name">{t("All inboxes")}</span>
            </Link>
          </div>
        )}
        <FolderNav {...(onChosen === undefined ? {} : { onChosen })} />
      </nav>
      <nav aria-label={t("More")} className="rail-more">
        <ApprovalsLink {...chosen} />
        <Link href="/outbox" className={here} {...chosen}>
          <SendHorizontal size={17} aria-hidden />
          <span className="rail-name">{t("Outbox")}</span>
        </Link>
        <Link href="/settings" className={here(isAtSettings)} {...chosen}>
          <Settings2 size={17} aria-hidden />
          <span className="rail-name">{t("Settings")}</span>
        </Link>
        <AccountMenu email={email} onHelp={onHelp} />
      </nav>
    </div>
  );
};

/** Maximum number of approvals that are counted. */
const MAX_COUNTED = 9;

/** A link to the messages that agents request to send, while a request waits (spec 13.2). */
const ApprovalsLink = (chosen: { readonly onClick?: () => void }) => {
  const waiting = useQuery({
    queryKey: ["approvals", "count"],
    queryFn: async ({ signal }) =>
      (await api("GET /api/approvals", { query: { state: "pending", limit: MAX_COUNTED + 1 }, signal })).data.length,
  });
  const count = waiting.data ?? 0;
  if (count === 0) return null;
  return (
    <Link href="/settings/approvals" className="rail-item" {...chosen}>
      <CheckCheck size={17} aria-hidden />
      <span className="rail-name">{t("Approvals")}</span>
      <span className="rail-count numbers">
        {rich("{count}<unseen> waiting</unseen>", {
          count: count > MAX_COUNTED ? `${MAX_COUNTED}+` : count,
          unseen: (chunks) => <span className="unseen">{chunks}</span>,
        })}
      </span>
    </Link>
  );
};
