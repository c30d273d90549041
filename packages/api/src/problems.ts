import { Schema } from "effect";
import { HttpApiError } from "effect/http-api";

/** One thing wrong with a request: the field it is about, and what it must be. */
export const FieldError = Schema.Struct({ field: Schema.String, message: Schema.String });

/** Members of every problem. */
export const members = <const Code extends string>(code: Code) => ({
  ok: Schema.tag(false),
  code: Schema.tag(code),
  requestId: Schema.String,
});

/** A problem of RFC 9457 with our members (spec 2); clients tell problems apart by `code`. */
export const problem =
  <Self>() =>
  <const Code extends string, const Status extends number>(code: Code, status: Status, title: string) =>
    HttpApiError.Problem<Self>()(code, { type: `urn:postern:problem:${code}`, status, title }, members(code));

/** A 400, which says what is wrong with which field. */
const badRequest =
  <Self>() =>
  <const Code extends string>(code: Code, title: string) =>
    HttpApiError.Problem<Self>()(
      code,
      { type: `urn:postern:problem:${code}`, status: 400, title },
      { ...members(code), errors: Schema.Array(FieldError) },
    );

/** 400: a field is missing, of the wrong type or out of range. */
export class InvalidRequest extends badRequest<InvalidRequest>()("invalid_request", "The request is not valid.") {}

/** 400: name the folder by its path or id instead (spec 4). */
export class AmbiguousFolder extends badRequest<AmbiguousFolder>()(
  "ambiguous_folder",
  "Several folders bear this name.",
) {}

/** 400: the folder has no messages to list (spec 4). */
export class FolderHoldsNoMessages extends badRequest<FolderHoldsNoMessages>()(
  "folder_not_selectable",
  "This folder holds folders only.",
) {}

/** 400: the name, or the place (field `parentId`), is not one a folder can have; `errors` says why (spec 4). */
export class InvalidFolderName extends badRequest<InvalidFolderName>()(
  "invalid_folder_name",
  "A folder cannot have this name or place.",
) {}

/** 400: INBOX, the special folders and what they lie in stay as they are (spec 4). */
export class SystemFolder extends badRequest<SystemFolder>()(
  "system_folder",
  "A system folder cannot be changed or deleted.",
) {}

/** 400: ask with `recursive=true` to delete the folders in it too (spec 4). */
export class FolderHoldsFolders extends badRequest<FolderHoldsFolders>()(
  "has_children",
  "Other folders lie in this one.",
) {}

/** 400: the messages of a deleted folder cannot go there (spec 4). */
export class InvalidFolderDestination extends badRequest<InvalidFolderDestination>()(
  "invalid_destination",
  "The messages cannot be moved there.",
) {}

/** 400: start again at the first page. */
export class CursorExpired extends badRequest<CursorExpired>()(
  "cursor_expired",
  "The folder was made anew since this cursor was given.",
) {}

/** 401: one answer for an unknown e-mail and a wrong password (spec 3). */
export class InvalidCredentials extends problem<InvalidCredentials>()(
  "invalid_credentials",
  401,
  "E-mail and password do not match.",
) {}

/** 401: no token, or one that is malformed, forged, expired or of an ended session (spec 3.2). */
export class Unauthorized extends problem<Unauthorized>()("unauthorized", 401, "Sign in to use this.") {}

/** 401: somebody else may have a copy of the refresh token, so its session has been ended (spec 3). */
export class RefreshTokenReused extends problem<RefreshTokenReused>()(
  "refresh_reused",
  401,
  "This refresh token was used before. Sign in again.",
) {}

/** 401: sign in again with the password now in force (spec 3). */
export class MailboxLoginRejected extends problem<MailboxLoginRejected>()(
  "mailbox_credentials_rejected",
  401,
  "The mail server no longer accepts the password kept for this account.",
) {}

/** 400: a token and a cookie may be of two people. */
export class TwoCredentials extends badRequest<TwoCredentials>()(
  "two_credentials",
  "Send a bearer token or the session cookie, not both.",
) {}

/** 403: a request with the session cookie did not come from a page of the service (spec 3). */
export class CrossSiteRequest extends problem<CrossSiteRequest>()(
  "cross_site_request",
  403,
  "This did not come from a page of the service.",
) {}

/** 403: over plain http the cookie could be read on the way (spec 3). */
export class HttpsRequired extends problem<HttpsRequired>()("https_required", 403, "Browsers sign in by https only.") {}

/** 404 (spec 2.3). */
export class FolderMissing extends problem<FolderMissing>()("folder_not_found", 404, "There is no such folder.") {}

/** 404: the account has no such session. */
export class SessionMissing extends problem<SessionMissing>()("session_not_found", 404, "There is no such session.") {}

/** 409: a sibling bears this name, in whatever case or Unicode form (spec 2.3, 4). */
export class FolderNameTaken extends problem<FolderNameTaken>()(
  "folder_exists",
  409,
  "A folder with this name already exists.",
) {}

/** 404: no such path. */
export class PathNotFound extends problem<PathNotFound>()("not_found", 404, "There is nothing at this path.") {}

/** 405: the `Allow` header lists what the path takes. */
export class MethodNotAllowed extends problem<MethodNotAllowed>()(
  "method_not_allowed",
  405,
  "This path does not take this method.",
) {}

/** 413: `detail` names the limit. */
export class PayloadTooLarge extends problem<PayloadTooLarge>()(
  "payload_too_large",
  413,
  "The request body is too large.",
) {}

/** 415; `detail` says what the request takes. */
export class UnsupportedMediaType extends problem<UnsupportedMediaType>()(
  "unsupported_media_type",
  415,
  "This request takes no body of this media type.",
) {}

/** 429 with `Retry-After` (spec 3). */
export class TooManyAttempts extends problem<TooManyAttempts>()(
  "too_many_attempts",
  429,
  "Too many sign-ins have failed.",
) {}

/** 429 with `Retry-After`: one account has as many requests under way as it may have at once (spec 8). */
export class TooManyRequests extends problem<TooManyRequests>()(
  "too_many_requests",
  429,
  "Too many requests of this account are under way",
) {}

/** 500: our own fault; the request id finds it in the log. */
export class InternalError extends problem<InternalError>()("internal_error", 500, "Something went wrong here.") {}

/** 502 with `Retry-After` (spec 2). */
export class MailServerUnreachable extends problem<MailServerUnreachable>()(
  "mail_server_unreachable",
  502,
  "The mail server cannot be reached.",
) {}

/** 502 with `Retry-After`: the certificate of the mail server is not one to trust. */
export class MailServerUntrusted extends problem<MailServerUntrusted>()(
  "mail_server_untrusted",
  502,
  "The certificate of the mail server is not trusted",
) {}

/** 502 with `Retry-After`: too many connections, or a passing fault of the server. */
export class MailServerBusy extends problem<MailServerBusy>()(
  "mail_server_busy",
  502,
  "The mail server is too busy to answer.",
) {}

/** 502 with `Retry-After`. */
export class MailServerFault extends problem<MailServerFault>()(
  "mail_server_fault",
  502,
  "The mail server refused what it should allow.",
) {}

/** 403: the account has no right to do this in that folder, which it may only read. */
export class NotPermitted extends problem<NotPermitted>()(
  "not_permitted",
  403,
  "The mail server does not permit this account to do this",
) {}

/** 507: delete mail, or have the quota raised, before asking again. */
export class MailboxFull extends problem<MailboxFull>()("mailbox_full", 507, "The mailbox has no room left") {}

/** 503 with `Retry-After`: starting, stopping, or its database does not answer (spec 8). */
export class NotReady extends problem<NotReady>()("not_ready", 503, "This process does not take requests now.") {}

/** 503 with `Retry-After`: more requests are under way than this process takes on (spec 8). */
export class Overloaded extends problem<Overloaded>()("overloaded", 503, "Too many requests are under way here.") {}

/** 504 with `Retry-After` (spec 2). */
export class MailServerTimeout extends problem<MailServerTimeout>()(
  "mail_server_timeout",
  504,
  "The mail server did not answer in time.",
) {}

/** 503 with `Retry-After`: what we keep cannot be read or written now (spec 2). */
export class DatabaseUnavailable extends problem<DatabaseUnavailable>()(
  "database_unavailable",
  503,
  "The database of the service does not answer.",
) {}

/** What any endpoint that asks the mail server may answer. */
export const MAIL_SERVER_PROBLEMS = [
  MailboxLoginRejected,
  MailServerUnreachable,
  MailServerUntrusted,
  MailServerBusy,
  MailServerFault,
  MailServerTimeout,
  NotPermitted,
  MailboxFull,
  DatabaseUnavailable,
] as const;
