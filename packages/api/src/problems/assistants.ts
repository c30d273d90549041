import { problem } from "./problem.ts";

/** 404: the account has no such grant (spec 13.3). */
export class AgentGrantNotFound extends problem<AgentGrantNotFound>()(
  "grant_not_found",
  404,
  "Grant not found",
  "The account has no grant with this id; it may have ended. List the grants with GET /api/grants.",
) {}

/** 409: the grant has another version (spec 2.7). */
export class AgentGrantChanged extends problem<AgentGrantChanged>()(
  "grant_changed",
  409,
  "The grant was changed meanwhile",
  "Nothing was changed: the grant no longer has the version in If-Match. Read it with GET /api/grants, then repeat the request with its version.",
) {}

/** 404: no stored client has this id (spec 13.3). */
export class OAuthClientNotFound extends problem<OAuthClientNotFound>()(
  "oauth_client_not_found",
  404,
  "OAuth client not found",
  "No stored client has this id. List the clients with GET /api/oauth/clients.",
) {}
