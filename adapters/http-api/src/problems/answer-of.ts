import { ACCOUNT_PROBLEMS } from "./accounts.ts";
import { AUTH_PROBLEMS } from "./auth.ts";
import { CREATION_PROBLEMS } from "./creations.ts";
import { DRAFT_PROBLEMS } from "./drafts.ts";
import { FOLDER_PROBLEMS } from "./folders.ts";
import { IDENTITY_PROBLEMS } from "./identities.ts";
import { KEY_PROBLEMS } from "./keys.ts";
import { MAIL_SERVER_PROBLEMS, STORE_PROBLEMS } from "./mail-server.ts";
import { MESSAGE_PROBLEMS } from "./messages.ts";
import { OAUTH_PROBLEMS } from "./oauth.ts";
import { REQUEST_PROBLEMS } from "./requests.ts";
import { SEND_PROBLEMS } from "./send.ts";
import type { Answer } from "./table.ts";
import { WEBHOOK_PROBLEMS } from "./webhooks.ts";

const PROBLEMS = {
  ...STORE_PROBLEMS,
  ...MAIL_SERVER_PROBLEMS,
  ...AUTH_PROBLEMS,
  ...CREATION_PROBLEMS,
  ...KEY_PROBLEMS,
  ...ACCOUNT_PROBLEMS,
  ...FOLDER_PROBLEMS,
  ...MESSAGE_PROBLEMS,
  ...OAUTH_PROBLEMS,
  ...SEND_PROBLEMS,
  ...DRAFT_PROBLEMS,
  ...IDENTITY_PROBLEMS,
  ...WEBHOOK_PROBLEMS,
  ...REQUEST_PROBLEMS,
};

type Problems = typeof PROBLEMS;

/** An error for which a table has an answer. A use case that can fail with any other does not compile in a handler. */
export type DomainError = Parameters<Problems[keyof Problems]>[0];

/** The problems that answer a set of domain errors. */
export type ProblemOf<E extends DomainError> = ReturnType<Problems[E["_tag"]]>["problem"];

/** Returns the answer to a domain error; `folder` is the field of the request that names a folder. */
export const answerOf = <E extends DomainError>(error: E, requestId: string, folder: string): Answer<ProblemOf<E>> =>
  (PROBLEMS[error._tag] as unknown as (...of: [E, string, string]) => Answer<ProblemOf<E>>)(error, requestId, folder);
