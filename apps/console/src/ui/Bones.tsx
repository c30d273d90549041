/** Placeholder rows while a list loads, with the height of real rows; `label` names the content that is loading. */
export const Bones = ({ rows, label }: { readonly rows: number; readonly label: string }) => (
  <div className="bones" role="status">
    <span className="unseen">{label}</span>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className="bone-row" aria-hidden>
        <span className="bone bone-short">—</span>
        <span className="bone">—</span>
      </div>
    ))}
  </div>
);
