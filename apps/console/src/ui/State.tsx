import { ApiProblem } from "@postern/client/browser";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";

/** In place of what is not there. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="state">
    <span className="arch" aria-hidden />
    <h2>{title}</h2>
    {children}
  </div>
);

export interface FailedProps {
  readonly error: unknown;
  readonly onRetry?: () => unknown;
  /** Another way to go on. */
  readonly children?: ReactNode;
}

/** Whether the same request may succeed later: what is not found or not permitted stays so. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500;

/** In place of what could not be had: what is wrong, and how to go on. */
export const Failed = ({ error, onRetry, children }: FailedProps) => (
  <div className="state" role="alert">
    <span className="arch" aria-hidden />
    <h2>{titleOf(error)}</h2>
    <p>{detailOf(error)}</p>
    {onRetry !== undefined && mayPass(error) && <Button onPress={() => void onRetry()}>Try again</Button>}
    {children}
  </div>
);

export const titleOf = (error: unknown): string =>
  error instanceof ApiProblem ? error.title : "Something went wrong on this page.";

/** All an answer says about what is wrong, in a line. */
export const detailOf = (error: unknown): string => {
  if (!(error instanceof ApiProblem)) return "Reload it; if that does not help, the log of the browser says more.";
  const faults = error.faults.map(({ field, message }) => `${field} ${message}`).join("; ");
  const told = [error.message === error.title ? "" : error.message, faults].filter((part) => part !== "").join(" ");
  return `${told}${error.requestId === null ? "" : ` (request ${error.requestId})`}`;
};
