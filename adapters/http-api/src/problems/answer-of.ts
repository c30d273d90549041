import * as Problem from "@postern/api";
import { ACCOUNT_PROBLEMS } from "./accounts.ts";
import { APPROVAL_PROBLEMS } from "./approvals.ts";
import { AUTH_PROBLEMS } from "./auth.ts";
import { CREATION_PROBLEMS } from "./creations.ts";
import { FOLDER_PROBLEMS } from "./folders.ts";
import { KEY_PROBLEMS } from "./keys.ts";
import { MAIL_SERVER_PROBLEMS, SHARED_PROBLEMS } from "./mail-server.ts";
import { MESSAGE_PROBLEMS } from "./messages.ts";
import { OAUTH_PROBLEMS } from "./oauth.ts";
import { REQUEST_PROBLEMS } from "./requests.ts";
import { SEND_PROBLEMS } from "./send.ts";
import type { Answer } from "./table.ts";
import { FEED_PROBLEMS, WEBHOOK_PROBLEMS } from "./webhooks.ts";

const PROBLEMS = {
  ...SHARED_PROBLEMS,
  ...MAIL_SERVER_PROBLEMS,
  ...AUTH_PROBLEMS,
  ...APPROVAL_PROBLEMS,
  ...CREATION_PROBLEMS,
  ...KEY_PROBLEMS,
  ...ACCOUNT_PROBLEMS,
  ...FOLDER_PROBLEMS,
  ...MESSAGE_PROBLEMS,
  ...OAUTH_PROBLEMS,
  ...SEND_PROBLEMS,
  ...WEBHOOK_PROBLEMS,
  ...FEED_PROBLEMS,
  ...REQUEST_PROBLEMS,
};

type Problems = typeof PROBLEMS;

type Contract = typeof Problem;

/**
 * The problems whose only field is the id of the request. A domain error with the same name gets this answer without an
 * entry in a table.
 */
type PlainProblem = {
  [Name in keyof Contract]: Contract[Name] extends new (members: { readonly requestId: string }) => object
    ? Name
    : never;
}[keyof Contract];

/**
 * A domain error that has an answer, in a table or by the equal name of a problem. A handler does not compile if its
 * use case can fail with any other error.
 */
export type DomainError = Parameters<Problems[keyof Problems]>[0] | { readonly _tag: PlainProblem };

type ProblemNamed<Name> = Name extends keyof Problems
  ? ReturnType<Problems[Name]>["problem"]
  : Name extends PlainProblem
    ? InstanceType<Contract[Name]>
    : never;

/** The problems that answer a set of domain errors. */
export type ProblemOf<E extends DomainError> = ProblemNamed<E["_tag"]>;

type AnswerTo = (error: DomainError, requestId: string, folder: string) => Answer<object>;

/** Returns the answer to a domain error; `folder` is the field of the request that names a folder. */
export const answerOf = <E extends DomainError>(error: E, requestId: string, folder: string): Answer<ProblemOf<E>> => {
  const table = PROBLEMS as unknown as Readonly<Partial<Record<string, AnswerTo>>>;
  // oxlint-disable-next-line import/namespace -- DomainError names the problems of the contract that need no table.
  const plain = (): Answer<object> => ({ problem: new Problem[error._tag as PlainProblem]({ requestId }) });
  return (table[error._tag]?.(error, requestId, folder) ?? plain()) as Answer<ProblemOf<E>>;
};
