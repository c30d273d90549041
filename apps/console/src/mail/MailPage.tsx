import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { type EmailSource, type Filter, FILTERS } from "./emails/emails.ts";
import { hrefOf } from "./emails/source-links.ts";
import { MailView } from "./MailView.tsx";
import { lazyPage } from "../shell/lazy-page.tsx";

export interface MailPageProps {
  readonly params: { readonly folder?: string; readonly message?: string };
}

const isFilter = (text: string | null): text is Filter => (FILTERS as ReadonlyArray<string | null>).includes(text);

const SearchPage = lazyPage("SearchPage", () => import("./SearchPage.tsx"));

/** The page for the folder or search in the URL, with the open message beside the list. */
export const MailPage = ({ params: { folder, message } }: MailPageProps) => {
  const [search] = useSearchParams();
  const text = search.get("q") ?? "";
  const within = search.get("in");
  const shown = search.get("show");
  const filter = isFilter(shown) ? shown : "all";
  const source = useMemo<EmailSource>(
    () => (folder === undefined ? { text, within, isDeep: false, filter } : { folder, filter }),
    [folder, text, within, filter],
  );
  const openId = message ?? null;
  return "text" in source ? (
    <SearchPage key={hrefOf(source)} source={source} openId={openId} />
  ) : (
    <MailView key={hrefOf(source)} source={source} openId={openId} />
  );
};
