import { Search, X } from "../../ui/icons/icons.tsx";
import { useRef } from "react";
import { Button, Input, SearchField } from "react-aria-components";
import { useLocation } from "wouter";
import { PREFIX } from "../../api/prefix.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import type { EmailSource } from "../emails/emails.ts";
import { searchTerms } from "../emails/search-terms.ts";
import { hrefOf } from "../emails/source-links.ts";

/** The URL at which a search started, to return to it. */
const STARTED_AT = "postern-search-from";

const here = (): string => location.pathname.slice(PREFIX.length) + location.search;

/**
 * The search field. A search for a text first covers the headers in the open folder. `/` focuses the field; Escape
 * returns to the page where the search began.
 */
export const SearchBox = ({ source }: { readonly source: EmailSource }) => {
  const input = useRef<HTMLInputElement>(null);
  const [, navigate] = useLocation();
  useShortcuts({ "/": () => input.current?.focus() });
  const text = "text" in source ? source.text : "";
  const search = (wanted: string): void => {
    if (wanted === "") return;
    if ("folder" in source) sessionStorage.setItem(STARTED_AT, here());
    // Servers search for people and dates in all folders as fast as in one folder.
    const isOfText = searchTerms(wanted).criteria.text !== undefined;
    const open = "folder" in source ? source.folder : source.within;
    navigate(hrefOf({ text: wanted, within: isOfText ? open : null, isDeep: false, filter: "all" }));
  };
  return (
    <SearchField
      key={text}
      className="search"
      aria-label="Search mail"
      defaultValue={text}
      onSubmit={(value) => search(value.trim())}
      onClear={() => text !== "" && navigate(sessionStorage.getItem(STARTED_AT) ?? "/mail/inbox")}
    >
      <Search size={16} aria-hidden />
      <Input ref={input} className="input" placeholder="Search mail, from:ann has:attachment" maxLength={500} />
      <Button className="button quiet icon">
        <X size={16} aria-hidden />
      </Button>
    </SearchField>
  );
};
