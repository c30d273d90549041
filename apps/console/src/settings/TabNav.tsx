import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";

export interface TabNavProps {
  readonly label: string;
  /** The links; the current one has the class `here`. */
  readonly children: ReactNode;
}

const middleOf = (element: Element): number => {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
};

/**
 * The links between the pages of an area. In a narrow window the links are one row that scrolls, with the current link
 * in view.
 */
export const TabNav = ({ label, children }: TabNavProps) => {
  const nav = useRef<HTMLElement>(null);
  const [location] = useLocation();
  useEffect(() => {
    const here = nav.current?.querySelector(".here");
    if (here != null) nav.current?.scrollBy({ left: middleOf(here) - middleOf(nav.current) });
  }, [location]);
  return (
    <nav ref={nav} className="settings-nav" aria-label={label}>
      {children}
    </nav>
  );
};
