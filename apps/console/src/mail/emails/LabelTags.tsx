import { numberText } from "../../texts/formats.ts";
import { t } from "../../texts/text.ts";

/** How many labels are shown; the title has all of them. */
const MOST = 2;

/** The first labels of a message. */
export const LabelTags = ({ labels }: { readonly labels: ReadonlyArray<string> }) => (
  <>
    {labels.slice(0, MOST).map((label) => (
      <span key={label} className="tag label-tag" title={labels.join(t(", "))} dir="auto">
        {label}
      </span>
    ))}
    {labels.length > MOST && <span className="tag">+{numberText(labels.length - MOST)}</span>}
  </>
);
