import * as Problem from "@postern/api";
import type {
  AddressMalformed,
  CursorMalformed,
  CursorStale,
  FolderAmbiguous,
  FolderNotFound,
  FolderNotSelectable,
  LoginRefused,
  MailboxCredentialsRejected,
  MailServerError,
  RefreshReused,
  SessionNotFound,
  StoreUnavailable,
  TokenRejected,
  TooManyLoginFailures,
} from "@postern/core";

/** Everything the use cases may fail with. */
export type DomainError =
  | AddressMalformed
  | LoginRefused
  | TooManyLoginFailures
  | TokenRejected
  | RefreshReused
  | SessionNotFound
  | MailboxCredentialsRejected
  | FolderNotFound
  | FolderAmbiguous
  | FolderNotSelectable
  | CursorMalformed
  | CursorStale
  | MailServerError
  | StoreUnavailable;

const MAIL_SERVER = {
  unreachable: Problem.MailServerUnreachable,
  busy: Problem.MailServerBusy,
  protocol: Problem.MailServerFault,
  timeout: Problem.MailServerTimeout,
} as const;

/** What a failure of the domain looks like on the wire: the one place where the two vocabularies meet. */
const WIRE = {
  AddressMalformed: (_: AddressMalformed, requestId: string) =>
    new Problem.InvalidRequest({ requestId, errors: [{ field: "email", message: "must be an e-mail address" }] }),
  LoginRefused: (_: LoginRefused, requestId: string) => new Problem.InvalidCredentials({ requestId }),
  TokenRejected: (_: TokenRejected, requestId: string) => new Problem.Unauthorized({ requestId }),
  TooManyLoginFailures: ({ retryAfter }: TooManyLoginFailures, requestId: string) =>
    new Problem.TooManyAttempts({ requestId, detail: `Try again in ${inWords(retryAfter)}.` }),
  RefreshReused: (_: RefreshReused, requestId: string) => new Problem.RefreshTokenReused({ requestId }),
  SessionNotFound: (_: SessionNotFound, requestId: string) => new Problem.SessionMissing({ requestId }),
  MailboxCredentialsRejected: (_: MailboxCredentialsRejected, requestId: string) =>
    new Problem.MailboxLoginRejected({ requestId, detail: "Sign in again with the password now in force." }),
  FolderNotFound: (_: FolderNotFound, requestId: string) => new Problem.FolderMissing({ requestId }),
  FolderAmbiguous: ({ paths }: FolderAmbiguous, requestId: string) =>
    new Problem.AmbiguousFolder({
      requestId,
      errors: [{ field: "folder", message: `is the name of ${paths.join(", ")}: give the path or the id` }],
    }),
  FolderNotSelectable: (_: FolderNotSelectable, requestId: string) =>
    new Problem.FolderHoldsNoMessages({
      requestId,
      errors: [{ field: "folder", message: "holds folders only, no messages" }],
    }),
  CursorMalformed: (_: CursorMalformed, requestId: string) =>
    new Problem.InvalidRequest({
      requestId,
      errors: [{ field: "cursor", message: "must be the nextCursor of a page of the same folder" }],
    }),
  CursorStale: (_: CursorStale, requestId: string) =>
    new Problem.CursorExpired({
      requestId,
      errors: [{ field: "cursor", message: "is for a folder that was made anew: start again without it" }],
    }),
  MailServerError: ({ reason }: MailServerError, requestId: string) => new MAIL_SERVER[reason]({ requestId }),
  StoreUnavailable: (_: StoreUnavailable, requestId: string) => new Problem.DatabaseUnavailable({ requestId }),
};

const inWords = (millis: number): string => {
  const minutes = Math.ceil(millis / 60_000);
  return minutes <= 1 ? "a minute" : minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
};

type Wire = typeof WIRE;

/** The problems a set of domain errors becomes. */
export type ProblemOf<E extends DomainError> = ReturnType<Wire[E["_tag"]]>;

/** The problem a domain error is answered with. */
export const problemOf = <E extends DomainError>(error: E, requestId: string): ProblemOf<E> =>
  (WIRE[error._tag] as unknown as (error: E, requestId: string) => ProblemOf<E>)(error, requestId);
