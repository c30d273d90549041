/** Where rows will be, while they are on their way: as many, and as high. */
export const Bones = ({ rows, label }: { readonly rows: number; readonly label: string }) => (
  <div className="bones" role="status">
    <span className="unseen">Loading {label}</span>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className="bone-row" aria-hidden>
        <span className="bone bone-short">—</span>
        <span className="bone">—</span>
      </div>
    ))}
  </div>
);
