import { useEffect, useState } from "react";
import { Link } from "wouter";
import { markText, rich, t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { PagedLines } from "../../ui/PagedLines.tsx";
import { usePages } from "../../ui/paged.ts";
import type { ListedApproval } from "./agents.ts";
import { ApprovalState } from "./ApprovalState.tsx";

const SHOWN = [
  { id: "pending", name: markText("Waiting") },
  { id: "all", name: markText("All of 90 days") },
] as const;

/** The messages that agents request to send from the mailbox (spec 13.2). */
export default function ApprovalList() {
  const [shown, show] = useState<(typeof SHOWN)[number]["id"]>("pending");
  const approvals = usePages(["approvals", shown], (at, signal) =>
    api("GET /api/approvals", { query: { ...(shown === "all" ? {} : { state: shown }), ...at }, signal }),
  );
  useEffect(() => {
    document.title = `${t("Approvals")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Approvals")}</h1>
      </header>
      <p className="intro">
        {t(
          "Messages that assistants and service keys ask to send from this mailbox. A message is sent only if you approve it within 7 days.",
        )}
      </p>
      <div className="list-filter">
        <Choice
          label={t("Show")}
          value={shown}
          onChange={(id) => show(id as typeof shown)}
          options={SHOWN.map(({ id, name }) => ({ id, name: t(name) }))}
        />
      </div>
      <PagedLines
        pages={approvals}
        label={t("Approvals")}
        loading={t("Loading the approvals")}
        more={t("Show more approvals")}
        empty={
          <Empty title={t(shown === "all" ? "No approvals" : "No message waits for your approval")}>
            <p>{t("Messages that an assistant or a key may not send without approval are listed here.")}</p>
          </Empty>
        }
      >
        {(approval) => <ApprovalLine key={approval.id} approval={approval} />}
      </PagedLines>
    </>
  );
}

const ApprovalLine = ({ approval }: { readonly approval: ListedApproval }) => {
  const { id, state, subject, by, recipients, createdAt } = approval;
  const unknown = recipients.filter(({ known }) => !known).length;
  return (
    <li className="line">
      <div className="line-main">
        <Link href={`/settings/approvals/${id}`} className="line-name" dir="auto">
          {subject.trim() || t("No subject")}
        </Link>
        <p className="soft small">
          {rich("{name} asks, to <recipients></recipients>, <time></time>", {
            name: by.name,
            recipients: () => <span dir="auto">{recipients.map(({ address }) => address).join(t(", "))}</span>,
            time: () => <Moment at={createdAt} />,
          })}
        </p>
      </div>
      {unknown > 0 && (
        <span className="tag warn">
          {t("{count, plural, one {# new recipient} other {# new recipients}}", { count: unknown })}
        </span>
      )}
      <ApprovalState state={state} />
    </li>
  );
};
