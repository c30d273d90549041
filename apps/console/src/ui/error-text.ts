import { ApiProblem } from "@postern/client/browser";

/** The title of a problem, or of any other error. */
export const titleOf = (error: unknown): string =>
  error instanceof ApiProblem ? error.title : "Something went wrong on this page";

/** What an answer adds to its title, in a line: the fields at fault, otherwise what happened and what to do next. */
export const detailOf = (error: unknown): string => {
  if (!(error instanceof ApiProblem)) return "Reload it; if that does not help, the log of the browser says more.";
  const faults = error.errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  const told = faults || (error.message === error.title ? "" : error.message);
  return `${told}${error.requestId === null ? "" : ` (request ${error.requestId})`}`;
};

/** The title and the details of an error, as one text. */
export const errorText = (error: unknown): string => {
  const detail = detailOf(error);
  // With nothing but a request id to add, the text stays one sentence.
  return detail === "" || detail.startsWith(" ") ? titleOf(error) + detail : `${titleOf(error)}. ${detail}`;
};
