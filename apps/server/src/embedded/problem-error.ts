import { type FieldFault, PosternError } from "./PosternError.ts";

interface Problem {
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  readonly requestId?: string;
  readonly errors?: ReadonlyArray<FieldFault>;
}

/** The text for an account whose password is not stored, or was refused by the mail server. */
const SIGN_IN_FIRST = "No password that works is kept for this account; sign in, such as by signIn(address, password)";

/** Returns the error for an answer that is a problem; its message names the fields at fault. */
export const problemError = async (response: Response): Promise<PosternError> => {
  const problem = (await response.json()) as Problem;
  const { code, title, detail, requestId, errors = [] } = problem;
  const faults = errors.map(({ field, message }) => `${field} ${message}`).join("; ");
  const text = code === "mailbox_credentials_rejected" ? SIGN_IN_FIRST : [title, detail].filter(Boolean).join(": ");
  return new PosternError(faults || text, {
    code,
    status: response.status,
    errors,
    problem,
    ...(requestId === undefined ? {} : { requestId }),
  });
};
