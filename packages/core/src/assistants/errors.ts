import { Schema } from "effect";

/**
 * The client of a request for authorization is unknown, or the redirect URI is not registered for it. A page shows the
 * error, and nothing is redirected. `detail` is the reason why the client's document was not read.
 */
export class ClientRejected extends Schema.TaggedError<ClientRejected>()("ClientRejected", {
  reason: Schema.Literals(["id_missing", "id_unknown", "redirect_uri_foreign", "document_wrong", "document_unread"]),
  detail: Schema.optionalKey(Schema.String),
}) {}

/**
 * The request for authorization is refused, by Postern or by the person. The client gets the error at its redirect URI
 * (RFC 6749, 4.1.2.1).
 */
export class AuthorizationRefused extends Schema.TaggedError<AuthorizationRefused>()("AuthorizationRefused", {
  error: Schema.Literals([
    "invalid_request",
    "unsupported_response_type",
    "invalid_scope",
    "invalid_target",
    "access_denied",
  ]),
  description: Schema.String,
}) {}

/** A request for tokens is refused (RFC 6749, 5.2). */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {
  error: Schema.Literals([
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "invalid_scope",
    "invalid_target",
    "unsupported_grant_type",
  ]),
  description: Schema.String,
}) {}

/** The document of a client could not be read. `isBusy`: it was not requested, because too many other documents were being read. */
export class ClientDocumentUnavailable extends Schema.TaggedError<ClientDocumentUnavailable>()(
  "ClientDocumentUnavailable",
  { reason: Schema.String, isBusy: Schema.optionalKey(Schema.Boolean) },
) {}

/** Registration of clients is off, or the maximum number has registered (RFC 7591). */
export class RegistrationRefused extends Schema.TaggedError<RegistrationRefused>()("RegistrationRefused", {
  reason: Schema.Literals(["disabled", "full"]),
}) {}

/** No stored client has this id (404). */
export class OAuthClientNotFound extends Schema.TaggedError<OAuthClientNotFound>()("OAuthClientNotFound", {}) {}

/** The account has no such grant (404). */
export class AgentGrantNotFound extends Schema.TaggedError<AgentGrantNotFound>()("AgentGrantNotFound", {}) {}

/** The client names a version of the grant that is not the current one (409, spec 2.7). */
export class AgentGrantChanged extends Schema.TaggedError<AgentGrantChanged>()("AgentGrantChanged", {}) {}
