import type { ReactNode } from "react";

/** Shown in place of an empty list. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="state">
    <span className="arch" aria-hidden />
    <h2>{title}</h2>
    {children}
  </div>
);
