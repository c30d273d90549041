/** How many labels are shown; the title has all of them. */
const MOST = 2;

/** The first labels of a message. */
export const LabelTags = ({ labels }: { readonly labels: ReadonlyArray<string> }) => (
  <>
    {labels.slice(0, MOST).map((label) => (
      <span key={label} className="tag label-tag" title={labels.join(", ")} dir="auto">
        {label}
      </span>
    ))}
    {labels.length > MOST && <span className="tag">+{labels.length - MOST}</span>}
  </>
);
