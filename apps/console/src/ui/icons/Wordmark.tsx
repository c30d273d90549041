/** The product's name beside its logo. */
export const Wordmark = () => (
  <span className="wordmark">
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden>
      <path d="M3 30V13C3 6 8.500 2 16 2s13 4 13 11v17z" fill="var(--accent)" />
      <path d="M10 30V17c0-4 2.600-6.500 6-6.500s6 2.500 6 6.500v13z" fill="var(--surface)" />
    </svg>
    Postern
  </span>
);
