import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useLayoutEffect, useState } from "react";
import { currentAccount } from "../../api/signed-in.ts";
import { keptSearches } from "../../kept/kept-searches.ts";
import { useFolders } from "../../shell/folders.ts";
import { labelsQuery } from "../actions/labels.ts";
import { emailsRead } from "../emails/emails.ts";
import { type Completion, completions } from "./completions.ts";
import { t } from "../../texts/text.ts";
import "./search.css";

export interface SearchListProps {
  readonly id: string;
  readonly typed: string;
  /** A reference to the list's key handler, which returns whether the list used the key. */
  readonly keys: RefObject<((event: KeyboardEvent) => boolean) | null>;
  /** Called with the id of the active option, or undefined. */
  readonly onActive: (id: string | undefined) => void;
  readonly onChoose: (completion: Completion) => void;
  readonly onClose: () => void;
}

/** The completions of a search, as the list of a combobox whose field has the focus. */
export default function SearchList({ id, typed, keys, onActive, onChoose, onClose }: SearchListProps) {
  const [at, setAt] = useState(-1);
  const folders = useFolders().data ?? [];
  const labels = useQuery({ ...labelsQuery, enabled: /(^|\s)label:\S*$/i.test(typed) }).data ?? [];
  const earlier = keptSearches(currentAccount() ?? "");
  const offered = completions(typed, { folders, labels, emails: emailsRead(), earlier, now: Date.now() });
  const active = offered[at] === undefined ? undefined : `${id}-${at}`;
  useLayoutEffect(() => {
    onActive(offered.length === 0 ? undefined : (active ?? ""));
    keys.current = (event) => {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (offered.length === 0) return false;
      if (step !== 0) setAt((at + step + offered.length + (at < 0 && step < 0 ? 1 : 0)) % offered.length);
      else if (event.key === "Enter" && offered[at] !== undefined) choose(offered[at]);
      else if (event.key === "Escape") onClose();
      else return false;
      return true;
    };
    return () => void (keys.current = null);
  });
  const choose = (completion: Completion): void => {
    setAt(-1);
    onChoose(completion);
  };
  return (
    <ul
      id={id}
      role="listbox"
      aria-label={t("Completions")}
      className="popover search-list"
      hidden={offered.length === 0}
    >
      {offered.map((completion, n) => (
        // The field handles the keys, and names the active option (the pattern of a combobox).
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={completion.name}
          id={`${id}-${n}`}
          role="option"
          aria-selected={n === at}
          className="option"
          data-focused={n === at || undefined}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(completion)}
        >
          <span dir="auto">{completion.name}</span>
          <span className="soft small">{completion.hint}</span>
        </li>
      ))}
    </ul>
  );
}
