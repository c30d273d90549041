import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { PREFIX } from "../../api/prefix.ts";
import { lazyPage } from "../../shell/lazy-page.tsx";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/Button.tsx";
import { Search, Settings2, X } from "../../ui/icons/icons.tsx";
import type { EmailSource } from "../emails/emails.ts";
import { hrefOf } from "../emails/source-links.ts";
import { t } from "../../texts/text.ts";

const loadList = () => import("../search/SearchList.tsx");
const SearchList = lazyPage("SearchList", loadList);
const SearchPanel = lazyPage("SearchPanel", () => import("../search/SearchPanel.tsx"));

/** The storage key of the URL at which a search started. */
const STARTED_AT = "postern-search-from";

/** Returns the page to which Escape returns from the results of a search. */
export const searchStart = (): string => sessionStorage.getItem(STARTED_AT) ?? "/mail/inbox";

/**
 * The search field, a combobox according to the ARIA practices; its completions are loaded at the first focus. `/` focuses
 * it; Escape closes the list, then returns to the page where the search began.
 */
export const SearchBox = ({ source }: { readonly source: EmailSource }) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null);
  const [, navigate] = useLocation();
  const text = "text" in source ? source.text : "";
  const [typed, type] = useState(text);
  const [isOpen, open] = useState(false);
  const [isPanel, showPanel] = useState(false);
  // The active option, or "" if the list has options but none is active.
  const [active, setActive] = useState<string>();
  useShortcuts({ "/": () => input.current?.focus() });
  useEffect(() => type(text), [text]);

  const search = (wanted: string): void => {
    open(false);
    showPanel(false);
    if (wanted === "") return;
    type(wanted);
    if ("folder" in source)
      sessionStorage.setItem(STARTED_AT, location.pathname.slice(PREFIX.length) + location.search);
    const here = "folder" in source ? source.folder : source.within;
    const within = /(^|\s)in:/i.test(wanted) ? null : here;
    navigate(hrefOf({ text: wanted, within, isDeep: false, filter: "all" }));
  };
  const leave = (): void => {
    type("");
    if (text !== "") navigate(searchStart());
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (keys.current?.(event) === true) event.preventDefault();
    else if (event.key === "Enter") search(typed.trim());
    else if (event.key === "Escape") leave();
    else if (event.key === "ArrowDown") open(true);
  };
  return (
    <search className="search">
      <Search size={16} aria-hidden />
      <input
        ref={input}
        className="input"
        role="combobox"
        aria-label={t("Search mail")}
        aria-expanded={isOpen && active !== undefined}
        aria-controls={isOpen ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active !== "" ? active : undefined}
        placeholder={t("Search mail, from:ann has:attachment")}
        maxLength={500}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        dir="auto"
        value={typed}
        onChange={(event) => {
          type(event.target.value);
          open(true);
        }}
        onFocus={() => void loadList().catch(() => {})}
        onClick={() => open(true)}
        onBlur={() => open(false)}
        onKeyDown={press}
      />
      <div className="search-buttons">
        {typed !== "" && (
          <Button look="quiet" label={t("Clear search")} icon={<X size={16} aria-hidden />} onPress={leave} />
        )}
        <Button
          look="quiet"
          label={t("More search options")}
          icon={<Settings2 size={16} aria-hidden />}
          onPress={() => showPanel(true)}
        />
      </div>
      {isOpen && (
        <Suspense>
          <SearchList
            id={id}
            typed={typed}
            keys={keys}
            onActive={setActive}
            onClose={() => open(false)}
            onChoose={({ search: wanted, isWhole }) => (isWhole ? search(wanted) : type(wanted))}
          />
        </Suspense>
      )}
      {isPanel && (
        <Suspense>
          <SearchPanel search={typed} onSearch={search} onClose={() => showPanel(false)} />
        </Suspense>
      )}
    </search>
  );
};
