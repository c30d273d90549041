import { ApiProblem } from "@postern/client/browser";
import type { ReactNode } from "react";
import { t } from "../texts/text.ts";
import { Button } from "./Button.tsx";
import { detailOf, titleOf } from "./error-text.ts";

export interface FailedProps {
  readonly error: unknown;
  readonly onRetry?: () => unknown;
  /** Further ways to continue, such as a link. */
  readonly children?: ReactNode;
}

/** Returns whether a retry may succeed, which is impossible if the content was not found or is not permitted. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500;

/** Shown in place of content that failed to load: the problem, and ways to continue. */
export const Failed = ({ error, onRetry, children }: FailedProps) => (
  <div className="state" role="alert">
    <span className="arch" aria-hidden />
    <h2>{titleOf(error)}</h2>
    <p>{detailOf(error)}</p>
    {onRetry !== undefined && mayPass(error) && <Button onPress={() => void onRetry()}>{t("Try again")}</Button>}
    {children}
  </div>
);
