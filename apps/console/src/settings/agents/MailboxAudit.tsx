import { useEffect, useState } from "react";
import { t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { PagedLines } from "../../ui/PagedLines.tsx";
import { usePages } from "../../ui/paged.ts";
import { type Grant, useGrants } from "./agents.ts";
import { type AuditEntry, AuditLine } from "./AuditLine.tsx";

const PAGE = 50;
const ALL = "all";

/** The changes and sent messages of the mailbox, and the calls of assistants (spec 8.7). */
export default function MailboxAudit() {
  const [key, setKey] = useState(ALL);
  const grants = useGrants().data ?? [];
  const entries = usePages(["audit", key], (at, signal) =>
    api("GET /api/audit", { query: { ...(key === ALL ? {} : { key }), limit: PAGE, ...at }, signal }),
  );
  useEffect(() => {
    document.title = `${t("Audit")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Audit")}</h1>
      </header>
      <p className="intro">
        {t(
          "Changes and sent messages of this mailbox in the last 90 days and calls of assistants in the last 30 days, with their requesters. Entries contain no messages. When you read mail, this leaves no entry.",
        )}
      </p>
      {grants.length > 0 && (
        <div className="list-filter">
          <Choice
            label={t("Show")}
            value={key}
            onChange={setKey}
            options={[
              { id: ALL, name: t("Everything") },
              ...grants.map(({ id, name }) => ({ id, name: t("Only {name}", { name }) })),
            ]}
          />
        </div>
      )}
      <PagedLines
        pages={entries}
        label={t("Entries")}
        loading={t("Loading the entries")}
        more={t("Show more entries")}
        empty={<Empty title={t("No entries")} />}
      >
        {(entry) => <AuditLine key={entry.id} entry={entry} requester={requesterOf(entry, grants)} />}
      </PagedLines>
    </>
  );
}

const requesterOf = ({ key, application }: AuditEntry, grants: ReadonlyArray<Grant>): string => {
  if (key === null) return t("you [by you]");
  if (key === "admin") return t("the operator");
  const grant = grants.find(({ id }) => id === key);
  if (grant !== undefined) return t("{name} (assistant)", { name: grant.name });
  return application === null ? key : t("{name} (application)", { name: application });
};
