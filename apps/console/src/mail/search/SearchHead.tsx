import { useLocation } from "wouter";
import { folderName, useFolders } from "../../shell/folders.ts";
import { Button } from "../../ui/Button.tsx";
import { X } from "../../ui/icons/icons.tsx";
import type { SearchSource } from "../emails/emails.ts";
import { hrefOf } from "../emails/source-links.ts";
import { OPERATORS, searchParts } from "./search-parts.ts";
import type { Search } from "./useSearch.ts";
import { t } from "../../texts/text.ts";
import "./search.css";

export interface SearchHeadProps {
  readonly source: SearchSource;
  readonly search: Search;
  /** Called when the last part is removed. */
  readonly onLeave: () => void;
}

/** The parts of a search, each with a button that removes it, and the progress of the search. */
export const SearchHead = ({ source, search, onLeave }: SearchHeadProps) => {
  const [, navigate] = useLocation();
  const parts = searchParts(source.text);
  const unknown = parts.filter(({ operator }) => operator !== null && !OPERATORS.has(operator));
  const remove = (n: number): void => {
    const text = parts
      .toSpliced(n, 1)
      .map((part) => part.text)
      .join(" ");
    if (text === "") onLeave();
    else navigate(hrefOf({ ...source, text, filter: "all" }));
  };
  return (
    <div className="search-head small">
      <ul className="search-chips" aria-label={t("Parts of the search")}>
        {parts.map(({ text }, n) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same word may be given twice
          <li key={`${n} ${text}`} className="search-chip">
            <span dir="auto">{text}</span>
            <Button
              look="quiet"
              label={t("Remove {name}", { name: text })}
              icon={<X size={14} aria-hidden />}
              onPress={() => remove(n)}
            />
          </li>
        ))}
      </ul>
      {search.fault === null ? (
        <Progress source={source} search={search} />
      ) : (
        <p role="alert" className="notice warn">
          {unknown.length > 0
            ? t("{names} is not an operator. Quote it to search for it as text. The operators are {operators}.", {
                names: unknown.map(({ operator }) => `${operator}:`).join(t(", ")),
                operators: [...OPERATORS.keys()].map((name) => `${name}:`).join(t(", ")),
              })
            : search.fault}
        </p>
      )}
    </div>
  );
};

const Progress = ({ source, search }: Pick<SearchHeadProps, "source" | "search">) => {
  const folders = useFolders().data ?? [];
  const within = folders.find(({ id }) => id === source.within);
  const isPlaced = source.within === null && searchParts(source.text).some(({ operator }) => operator === "in");
  const { state, unsearched, stop, resume } = search;
  const folder = within === undefined ? null : folderName(within);
  const said = {
    headers:
      folder === null
        ? t("Searching senders, recipients and subjects…")
        : t("Searching senders, recipients and subjects in {folder}…", { folder }),
    bodies: t(isPlaced ? "Searching everything in that folder…" : "Searching everything in all folders…"),
    stopped:
      folder === null
        ? t("Searched senders, recipients and subjects only.")
        : t("Searched senders, recipients and subjects in {folder} only.", { folder }),
    failed: t("The rest could not be searched."),
    done:
      unsearched > 0
        ? t("{count, plural, one {# folder was not searched in time.} other {# folders were not searched in time.}}", {
            count: unsearched,
          })
        : t(isPlaced ? "Searched in that folder, newest first." : "Searched in all folders, newest first."),
  }[state];
  const isGoingOn = state === "headers" || state === "bodies";
  return (
    <div className="search-progress">
      {isGoingOn && <progress aria-label={t("Search")} />}
      <p className="soft" role="status">
        {said}
      </p>
      {isGoingOn && <Button onPress={stop}>{t("Stop")}</Button>}
      {(state === "stopped" || state === "failed" || unsearched > 0) && !isGoingOn && (
        <Button onPress={resume}>{t(state === "stopped" ? "Search everything" : "Try again")}</Button>
      )}
    </div>
  );
};
