import { Fragment, type ReactNode } from "react";

const LINK = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;

/** Returns text with its URLs as links. */
export const linkUrls = (text: string): ReactNode => {
  const parts: Array<ReactNode> = [];
  let from = 0;
  for (const match of text.matchAll(LINK)) {
    parts.push(<Fragment key={from}>{text.slice(from, match.index)}</Fragment>);
    parts.push(
      <a key={`link ${match.index}`} href={match[0]} target="_blank" rel="noreferrer">
        {match[0]}
      </a>,
    );
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
};
