import { Link } from "wouter";
import type { EmailSource, SearchSource } from "../emails/emails.ts";
import { findFolder, folderName, useFolders } from "../../shell/folders.ts";
import { OPERATORS, searchTerms } from "../emails/search-terms.ts";
import { hrefOf } from "../emails/source-links.ts";

/** Shows which folder a search covered and which terms were not understood, and offers to search further. */
export const SearchReach = ({ source }: { readonly source: EmailSource & SearchSource }) => {
  const folders = useFolders().data ?? [];
  const { criteria, folder, isPlaced, unknown } = searchTerms(source.text);
  const within = isPlaced ? folder : (source.within ?? undefined);
  const found = within === undefined ? undefined : findFolder(folders, within);
  const where = within === undefined ? "all folders" : found === undefined ? within : folderName(found);
  const hasText = criteria.text !== undefined;
  const offers = [
    ...(hasText && !source.isDeep ? [{ to: { ...source, isDeep: true }, text: "Search message text, too" }] : []),
    ...(within !== undefined && !isPlaced ? [{ to: { ...source, within: null }, text: "Search all folders" }] : []),
  ];
  return (
    <div className="search-reach small">
      <p className="soft">
        In {where}
        {hasText && (source.isDeep ? ": everywhere in messages" : ": senders, recipients and subjects")}
      </p>
      {offers.map(({ to, text }) => (
        <Link key={text} href={hrefOf(to)} className="filter">
          {text}
        </Link>
      ))}
      {unknown.length > 0 && (
        <p role="status" className="notice warn">
          Not understood, and left out: <strong dir="auto">{unknown.join(" ")}</strong>. Quote it to search for it as
          text. The operators are {OPERATORS.join(" ")}.
        </p>
      )}
    </div>
  );
};
