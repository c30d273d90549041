import { ApiProblem } from "@postern/client/browser";
import { t } from "../texts/text.ts";

/** Returns the title of a problem or other error. */
export const titleOf = (error: unknown): string =>
  error instanceof ApiProblem ? error.title : t("Something went wrong on this page");

/** Returns the details of an error in one line: the faults of fields, or its message, and the request id. */
export const detailOf = (error: unknown): string => {
  if (!(error instanceof ApiProblem)) return t("Reload the page. If that does not help, see the browser's console.");
  const faults = error.errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  const told = faults || (error.message === error.title ? "" : error.message);
  return `${told}${error.requestId === null ? "" : ` (request ${error.requestId})`}`;
};

/** Returns the title and the details of an error. */
export const errorText = (error: unknown): string => {
  const detail = detailOf(error);
  // If only a request id follows, it stays in the same sentence.
  return detail === "" || detail.startsWith(" ") ? titleOf(error) + detail : `${titleOf(error)}. ${detail}`;
};
