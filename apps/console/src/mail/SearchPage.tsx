import { useEffect, useMemo } from "react";
import { useLocation } from "wouter";
import { currentAccount } from "../api/signed-in.ts";
import { keepSearch } from "../kept/kept-searches.ts";
import type { EmailSource, SearchSource } from "./emails/emails.ts";
import { searchStart } from "./list/SearchBox.tsx";
import { MailView } from "./MailView.tsx";
import { SearchHead } from "./search/SearchHead.tsx";
import { useSearch } from "./search/useSearch.ts";
import { t } from "../texts/text.ts";

export interface SearchPageProps {
  readonly source: EmailSource & SearchSource;
  readonly openId: string | null;
}

/** The results of a search, with the open message beside them. */
export default function SearchPage({ source, openId }: SearchPageProps) {
  const [, navigate] = useLocation();
  const search = useSearch(source);
  const { text } = source;
  const isRight = search.state !== "headers" && search.fault === null;
  useEffect(() => {
    const account = currentAccount();
    if (isRight && account !== null) keepSearch(account, text);
  }, [text, isRight]);
  const leave = () => navigate(searchStart());
  const results = useMemo(
    () => ({ found: search.found, isFaulty: search.fault !== null }),
    [search.found, search.fault],
  );
  return (
    <MailView
      source={source}
      openId={openId}
      results={results}
      head={<SearchHead source={source} search={search} onLeave={leave} />}
      emptyTitle={t(search.state === "done" || search.fault !== null ? "No messages found" : "Nothing found yet")}
      onLeave={leave}
    />
  );
}
