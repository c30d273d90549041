import { numberText } from "../../texts/formats.ts";
import { t } from "../../texts/text.ts";

/** Maximum number of labels shown; the title has all labels. */
const MAX_TAGS = 2;

/** The first labels of a message. */
export const LabelTags = ({ labels }: { readonly labels: ReadonlyArray<string> }) => (
  <>
    {labels.slice(0, MAX_TAGS).map((label) => (
      <span key={label} className="tag label-tag" title={labels.join(t(", "))} dir="auto">
        {label}
      </span>
    ))}
    {labels.length > MAX_TAGS && <span className="tag">+{numberText(labels.length - MAX_TAGS)}</span>}
  </>
);
