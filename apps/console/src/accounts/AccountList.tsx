import { useEffect, useState } from "react";
import { Link } from "wouter";
import { markText, t } from "../texts/text.ts";
import { reasonText } from "../ui/error-text.ts";
import { Button } from "../ui/Button.tsx";
import { Choice } from "../ui/forms/Choice.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Plus } from "../ui/icons/icons.tsx";
import {
  type ListedAccount,
  type AccountFilter,
  type AccountState,
  stateTag,
  useAccounts,
} from "./records/accounts.ts";
import { PagedLines } from "../ui/PagedLines.tsx";

const ALL = "all";
const STATES = [
  { id: ALL, name: markText("All states") },
  { id: "active", name: markText("Active [account]") },
  { id: "needs_reauth", name: markText("Needs a new sign-in") },
  { id: "unreachable", name: markText("Unreachable [account]") },
  { id: "paused", name: markText("Paused [account]") },
];

/** The accounts of the service, ordered by address, with their states (spec 10.3). */
export const AccountList = () => {
  const [filter, setFilter] = useState<AccountFilter>({ state: null, tag: "", query: "" });
  const [tag, setTag] = useState("");
  const [query, setQuery] = useState("");
  const accounts = useAccounts(filter);
  const isFiltered = filter.state !== null || filter.tag !== "" || filter.query !== "";
  useEffect(() => {
    document.title = `${t("Accounts")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Accounts")}</h1>
        <div className="buttons">
          <Link href="/accounts/connect" className="button">
            {t("Connect link")}
          </Link>
          <Link href="/accounts/new" className="button primary">
            <Plus size={17} aria-hidden />
            {t("Add account")}
          </Link>
        </div>
      </header>
      <form
        className="list-filter"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter({ ...filter, tag: tag.trim(), query: query.trim() });
        }}
      >
        <Field
          label={t("Address or name")}
          value={query}
          onChange={setQuery}
          inputProps={{ type: "search", spellCheck: false, autoComplete: "off" }}
        />
        <Choice
          label={t("State")}
          value={filter.state ?? ALL}
          onChange={(state) => setFilter({ ...filter, state: state === ALL ? null : (state as AccountState) })}
          options={STATES.map(({ id, name }) => ({ id, name: t(name) }))}
        />
        <Field label={t("Tag")} value={tag} onChange={setTag} inputProps={{ spellCheck: false, autoComplete: "off" }} />
        <Button type="submit">{t("Filter")}</Button>
      </form>
      <PagedLines
        pages={accounts}
        label={t("Accounts")}
        loading={t("Loading the accounts")}
        more={t("Show more accounts")}
        empty={
          isFiltered ? (
            <Empty title={t("No account matches")} />
          ) : (
            <Empty title={t("No accounts yet")}>
              <p>{t("Add an account, or sign in to a mailbox to list its account.")}</p>
            </Empty>
          )
        }
      >
        {(account) => <AccountLine key={account.id} account={account} />}
      </PagedLines>
    </>
  );
};

const AccountLine = ({ account }: { readonly account: ListedAccount }) => {
  const { look, word } = stateTag(account.state);
  return (
    <li className="line">
      <div className="line-main">
        <Link href={`/accounts/${account.id}`} className="line-name">
          {account.email}
        </Link>
        <p className="soft small">
          {account.name !== null && `${account.name}. `}
          {account.reason === null ? !account.managed && t("From a sign-in.") : reasonText(account.reason)}
        </p>
        {account.tags.length > 0 && (
          <ul className="tags" aria-label={t("Tags of {address}", { address: account.email })}>
            {account.tags.map((tag) => (
              <li key={tag} className="tag">
                {tag}
              </li>
            ))}
          </ul>
        )}
      </div>
      <span className={`tag ${look}`}>{word}</span>
    </li>
  );
};
