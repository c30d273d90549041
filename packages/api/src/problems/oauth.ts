import { problem } from "./problem.ts";

/** 404: no OAuth2 app has this id (spec 11.1). */
export class OAuthAppNotFound extends problem<OAuthAppNotFound>()(
  "oauth_app_not_found",
  404,
  "OAuth2 app not found",
  "No OAuth2 app has this id. The operator lists the apps with GET /api/oauth/apps.",
) {}

/** 409: the app comes from `OAUTH_APPS` (spec 11.1). */
export class OAuthAppFixed extends problem<OAuthAppFixed>()(
  "oauth_app_fixed",
  409,
  "The operator sets this OAuth2 app",
  "An app of the setting OAUTH_APPS has this id. Change the setting, or choose another id.",
) {}

/** 422: the provider refuses the consent of the user (spec 11.2). */
export class GrantRefused extends problem<GrantRefused>()(
  "grant_refused",
  422,
  "The provider refuses the grant",
  "The provider issues no token for this grant: it expired, was revoked or was used up. Let the user consent again, with POST /api/accounts/connect.",
) {}

/** 422: another user consented (spec 11.2). */
export class OtherUserConsented extends problem<OtherUserConsented>()(
  "other_user_consented",
  422,
  "Another user consented",
  "Another user of the provider connected the account before. Let the same user consent, or delete the account first.",
) {}

/** 422: the provider refuses the app (spec 11.1). */
export class OAuthAppRefused extends problem<OAuthAppRefused>()(
  "oauth_app_refused",
  422,
  "The provider refuses the OAuth2 app",
  "The provider does not accept the app: its id, its secret or its rights. The operator has to correct it; the log of the service says why.",
) {}

/** 503 with `Retry-After`: the provider issues no tokens now (spec 11.4). */
export class OAuthProviderUnavailable extends problem<OAuthProviderUnavailable>()(
  "oauth_provider_unavailable",
  503,
  "The OAuth2 provider is unavailable",
  "The provider did not answer, or its answer was not valid OAuth2. Retry after the seconds given in Retry-After.",
) {}

/** 404: no device authorization has this id (spec 11.3). */
export class DeviceNotFound extends problem<DeviceNotFound>()(
  "device_not_found",
  404,
  "Device authorization not found",
  "No device authorization of this key has this id, or it is too old. Start one with POST /api/accounts/connect/device.",
) {}
