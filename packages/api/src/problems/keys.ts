import { badRequest, problem } from "./problem.ts";

/** 400: the request of a key does not name its account (spec 10.2). */
export class AccountRequired extends badRequest<AccountRequired>()(
  "account_required",
  "The request names no account",
  "A service key may use many accounts. Send the header Postern-Account with the id or the address of one.",
  { field: "postern-account", message: "is required" },
) {}

/** 403 with `WWW-Authenticate`: the credential lacks the scope (RFC 6750, spec 10.2). */
export class InsufficientScope extends problem<InsufficientScope>()(
  "insufficient_scope",
  403,
  "The credential does not allow this operation",
  "The header WWW-Authenticate names the scope that the operation needs. Use a key with this scope, or a session if it is `session`.",
) {}

/** 403: the client's network is not among the networks of the key (spec 10.2). */
export class KeyNetworkRefused extends problem<KeyNetworkRefused>()(
  "key_network_refused",
  403,
  "The key is not accepted from this network",
  "The address of the client is in none of the networks of the key. Send the request from one of them, or use another key.",
) {}

/** 403: the application of the key is suspended (spec 10.2). */
export class ApplicationSuspended extends problem<ApplicationSuspended>()(
  "application_suspended",
  403,
  "The application of the key is suspended",
  "The operator of the service suspended the application; its mail and its events wait. Ask the operator to resume it.",
) {}

/** 404: no key has this id. */
export class KeyNotFound extends problem<KeyNotFound>()(
  "key_not_found",
  404,
  "Service key not found",
  "No key has this id; it may have been deleted. List the keys with GET /api/keys.",
) {}

/** 409: the version is not the current one (spec 2.7). */
export class KeyChanged extends problem<KeyChanged>()(
  "key_changed",
  409,
  "The key was changed meanwhile",
  "Nothing was changed: the key no longer has the version in If-Match. Read it with GET /api/keys, then repeat the request with its version.",
) {}

/** 409: the version is not the current one (spec 2.7). */
export class ApplicationChanged extends problem<ApplicationChanged>()(
  "application_changed",
  409,
  "The application was changed meanwhile",
  "Nothing was changed: the application no longer has the version in If-Match. Read it with GET /api/applications, then repeat the request with its version.",
) {}

/** 404: no key names this application. */
export class ApplicationNotFound extends problem<ApplicationNotFound>()(
  "application_not_found",
  404,
  "Application not found",
  "No key belongs to an application of this name. List the keys with GET /api/keys.",
) {}

/** 429 with `Retry-After`: too many wrong keys came from this network (spec 10.2). */
export class TooManyWrongKeys extends problem<TooManyWrongKeys>()(
  "too_many_wrong_keys",
  429,
  "Too many wrong keys came from this network",
  "The key is wrong, and too many wrong keys came from this network before. Check the key: a correct key is accepted " +
    "at once.",
) {}
