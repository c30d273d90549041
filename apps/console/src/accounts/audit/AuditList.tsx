import type { ApiRequest } from "@postern/client/browser";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { t } from "../../texts/text.ts";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { type AuditEntry, AuditLine } from "../../settings/agents/AuditLine.tsx";
import { currentLocale } from "../../texts/language.ts";
import { applicationPath } from "../keys/service-keys.ts";
import { adminApi } from "../records/admin-key.ts";
import { PagedLines } from "../../ui/PagedLines.tsx";
import { usePages } from "../../ui/paged.ts";
import { type Operation, OPERATIONS } from "../../settings/agents/operations.ts";

type Filter = Pick<NonNullable<ApiRequest<"GET /api/audit">["query"]>, "account" | "key" | "operation">;

const PAGE = 50;
const ALL = "all";
const changes = () => [
  { id: ALL, name: t("All changes") },
  ...Object.entries(OPERATIONS)
    .map(([id, name]) => ({ id, name: t(name) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, currentLocale())),
];

/** The changes and sent messages of the last 90 days and the calls of agents of the last 30, with their requesters (spec 8.7). */
export const AuditList = () => {
  const [filter, setFilter] = useState<Filter>({});
  const [account, setAccount] = useState("");
  const [key, setKey] = useState("");
  const [operation, setOperation] = useState<Operation | typeof ALL>(ALL);
  const entries = usePages(["admin", "audit", filter], (at, signal) =>
    adminApi("GET /api/audit", { query: { ...filter, limit: PAGE, ...at }, signal }),
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
          "Changes and sent messages of the last 90 days and calls of assistants of the last 30 days, with their requesters. Entries contain no messages. Other reads leave no entry.",
        )}
      </p>
      <form
        className="list-filter"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter(filterOf(account, key, operation));
        }}
      >
        <Field
          label={t("Account")}
          value={account}
          onChange={setAccount}
          inputProps={{ type: "search", spellCheck: false, autoComplete: "off", placeholder: t("Address or id") }}
        />
        <Field
          label={t("Key")}
          value={key}
          onChange={setKey}
          inputProps={{ type: "search", spellCheck: false, autoComplete: "off", placeholder: t("Id, or admin") }}
        />
        <Choice
          label={t("Change [noun]")}
          value={operation}
          onChange={(id) => {
            setOperation(id as Operation | typeof ALL);
            setFilter(filterOf(account, key, id as Operation | typeof ALL));
          }}
          options={changes()}
        />
        <Button type="submit">{t("Filter")}</Button>
      </form>
      <PagedLines
        pages={entries}
        label={t("Entries")}
        loading={t("Loading the entries")}
        more={t("Show more entries")}
        empty={<Empty title={t("No entries")} />}
      >
        {(entry) => (
          <AuditLine key={entry.id} entry={entry} requester={<Requester entry={entry} />}>
            {entry.account !== null && (
              <p className="small audit-account">
                <Link href={`/accounts/${entry.account}`} className="mono">
                  {entry.account}
                </Link>
              </p>
            )}
          </AuditLine>
        )}
      </PagedLines>
    </>
  );
};

const filterOf = (account: string, key: string, operation: Operation | typeof ALL): Filter => ({
  ...(account.trim() === "" ? {} : { account: account.trim() }),
  ...(key.trim() === "" ? {} : { key: key.trim() }),
  ...(operation === ALL ? {} : { operation }),
});

const Requester = ({ entry: { key, application } }: { readonly entry: AuditEntry }) => {
  if (key === null) return t("the user of the account");
  if (key === "admin") return t("the operator");
  if (application === null) return <span className="mono">{key}</span>;
  return (
    <>
      <Link href={applicationPath(application)}>{application}</Link>{" "}
      {key !== application && <span className="mono">({key})</span>}
    </>
  );
};
