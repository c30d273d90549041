import { ApiProblem } from "@postern/client/browser";
import { problemTexts } from "../texts/language.ts";
import type { ProblemText } from "../texts/problem-texts.ts";
import { markText, t, type Text } from "../texts/text.ts";

/** The message of the client about a missing answer. */
const UNREACHED = markText("The service cannot be reached from here.");
const NOT_VALID = markText("is not valid");

/** Returns the texts of a problem; undefined in English, in which the service answers. */
const textsOf = (code: string): ProblemText | undefined => problemTexts()?.PROBLEMS[code];

/** Returns the title of a problem or other error. */
export const titleOf = (error: unknown): string => {
  if (!(error instanceof ApiProblem)) return t("Something went wrong on this page");
  const [title] = textsOf(error.code) ?? [];
  if (title !== undefined) return t(title);
  return error.title === UNREACHED ? t(UNREACHED) : error.title;
};

/** Returns the message of the service about a field, in the shown language. */
export const faultText = (message: string): string => {
  const texts = problemTexts()?.FAULTS;
  if (texts === undefined) return message;
  const general = message.replace(/\d+/, "{n}");
  const text = texts.find((one) => one === message || one === general) ?? NOT_VALID;
  return t(text, { n: /\d+/.exec(message)?.[0] ?? "" });
};

/** Returns the fault of a field of a refused request; undefined if there is none. */
export const faultOf = (error: unknown, field: string): string | undefined => {
  const message = error instanceof ApiProblem ? error.fault(field) : undefined;
  return message === undefined ? undefined : faultText(message);
};

/** Returns the reason why an account is not active, or why a mail server refused a sign-in. */
export const reasonText = ({ code, message }: { readonly code: string; readonly message: string }): string => {
  const reasons: Readonly<Partial<Record<string, Text>>> | undefined = problemTexts()?.REASONS;
  const text = reasons?.[code];
  return text === undefined ? message : t(text);
};

/**
 * Returns a text for the outcome of a failed call; the outcome is the code of a problem or another code of the audit.
 */
export const outcomeText = (code: string): string => {
  const [title] = textsOf(code) ?? [];
  return title === undefined ? code.replaceAll("_", " ") : t(title);
};

/** Returns the advice for a problem. */
export const adviceOf = (problem: ApiProblem): string => {
  const [, advice] = textsOf(problem.code) ?? [];
  if (advice !== undefined) return t(advice);
  return problem.message === problem.title ? "" : problem.message;
};

/** Returns the details of an error in one line: the faults of fields, or its message, and the request id. */
export const detailOf = (error: unknown): string => {
  if (!(error instanceof ApiProblem)) {
    return t("Reload the page. If that does not help, see the browser's console.");
  }
  const faults = error.errors
    .map(({ field, message }) => t("{field} {fault}", { field, fault: faultText(message) }))
    .join("; ");
  const detail = faults || adviceOf(error);
  return error.requestId === null ? detail : t("{detail} (request {id})", { detail, id: error.requestId });
};

/** Returns the title and the details of an error. */
export const errorText = (error: unknown): string => {
  const [title, detail] = [titleOf(error), detailOf(error)];
  // If only a request id follows, it stays in the same sentence.
  return detail === "" || detail.startsWith(" ") ? title + detail : t("{title}. {detail}", { title, detail });
};
