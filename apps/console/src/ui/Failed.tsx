import { ApiProblem } from "@postern/client/browser";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { detailOf, titleOf } from "./error-text.ts";

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
