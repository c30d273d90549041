import { appFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { MailServerInput, MailServerRecord } from "../records/account-records.ts";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { CreationKeyHeaders } from "../records/preconditions.ts";
import { documented } from "../document/documented.ts";
import { OAUTH_APP } from "../examples/oauth-apps.ts";
import { KeyAuthorization } from "../auth/KeyAuthorization.ts";
import { StoreUnavailable } from "../problems/mail-server.ts";
import { OAuthAppFixed, OAuthAppNotFound } from "../problems/oauth.ts";
import { InvalidRequest } from "../problems/requests.ts";
import { Deleted, NextCursor, Ok, pageQuery } from "../records/wire.ts";

const Id = appFields.id.annotate({ description: "Id of the app, chosen by the operator.", examples: [OAUTH_APP.id] });
const Provider = Schema.Literals(["google", "microsoft", "oidc"]).annotate({
  description: "The provider; `oidc` is any provider with OpenID Connect.",
});
const Mode = Schema.Literals(["delegated", "application", "hook"]).annotate({
  description:
    "`delegated`: each user consents. `application`: the app opens mailboxes with its own credentials. `hook`: `tokenUrl` issues the tokens.",
});
const Label = appFields.label.annotate({
  description: "Name for users, as in “Continue with …”. Default: the provider's name; for `oidc`, the id.",
});

/** An app in the form that users see when they sign in (spec 11.3). */
export const SignInProvider = Schema.Struct({
  id: Id,
  provider: Provider,
  label: Schema.String.annotate({ description: "Name, as in “Continue with …”." }),
}).annotate({ identifier: "SignInProvider", description: "An OAuth2 app by which users sign in." });

export const NewOAuthApp = Schema.Struct({
  id: Id,
  provider: Provider,
  label: Schema.optionalKey(Label),
  issuer: Schema.optionalKey(
    appFields.issuer.annotate({ description: "Issuer, for `oidc`; another cloud, for `microsoft`." }),
  ),
  tenant: Schema.optionalKey(appFields.tenant.annotate({ description: "Tenant, for `microsoft`. Default: `common`." })),
  clientId: Schema.optionalKey(appFields.clientId.annotate({ description: "Client id at the provider." })),
  clientSecret: Schema.optionalKey(
    appFields.clientSecret.annotate({ description: "Client secret. It is never shown again." }),
  ),
  privateKey: Schema.optionalKey(
    appFields.privateKey.annotate({
      description:
        "Private key (PEM), or the JSON of a Google service account, in place of a secret. It is never shown again.",
    }),
  ),
  mode: Schema.optionalKey(Mode),
  tokenUrl: Schema.optionalKey(appFields.tokenUrl.annotate({ description: "The token service of mode `hook`." })),
  scopes: Schema.optionalKey(
    appFields.scopes.annotate({ description: "Scopes. Default: the provider's scopes for mail." }),
  ),
  imap: Schema.optionalKey(MailServerInput),
  smtp: Schema.optionalKey(MailServerInput),
  domains: Schema.optionalKey(appFields.domains.annotate({ description: "Domains of its accounts. Default: all." })),
}).annotate({ identifier: "NewOAuthApp", description: "A client registered at an OAuth2 provider." });

export const OAuthApp = Schema.Struct({
  id: Id,
  provider: Provider,
  label: Schema.String.annotate({ description: "Name for users." }),
  issuer: Schema.NullOr(Schema.String).annotate({ description: "Issuer; null: the built-in one of the provider." }),
  tenant: Schema.NullOr(Schema.String).annotate({ description: "Tenant; null: `common`." }),
  clientId: Schema.String.annotate({ description: "Client id at the provider; empty in mode `hook`." }),
  authentication: Schema.Literals(["none", "client_secret", "private_key"]).annotate({
    description: "How the app authenticates itself to the provider.",
  }),
  mode: Mode,
  tokenUrl: Schema.NullOr(Schema.String).annotate({ description: "The token service of mode `hook`." }),
  scopes: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Scopes; null: the built-in ones of the provider.",
  }),
  imap: Schema.NullOr(MailServerRecord).annotate({
    description: "IMAP server of its accounts; null: found by the address.",
  }),
  smtp: Schema.NullOr(MailServerRecord).annotate({
    description: "SMTP server of its accounts; null: found by the address.",
  }),
  domains: Schema.Array(Schema.String).annotate({ description: "Domains of its accounts; empty: all." }),
  fixed: Schema.Boolean.annotate({ description: "Whether the app comes from the setting OAUTH_APPS." }),
}).annotate({ identifier: "OAuthApp", description: "An OAuth2 app, without its secret." });

const keep = HttpApiEndpoint.post("keep", "/", {
  headers: CreationKeyHeaders,
  payload: NewOAuthApp,
  success: Schema.Struct({ ok: Ok, data: OAuthApp }),
  error: [InvalidRequest, OAuthAppFixed, StoreUnavailable, ...REPEAT_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Add an OAuth2 app",
    description:
      "Stores an app, and encrypts its secret. An app with this id is replaced, unless it is of the setting " +
      "OAUTH_APPS.",
    request: { id: OAUTH_APP.id, provider: "google", clientId: OAUTH_APP.clientId, clientSecret: "GOCSPX-example" },
    answer: { ok: true, data: OAUTH_APP },
  }),
);

const list = HttpApiEndpoint.get("list", "/", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(OAuthApp).annotate({ description: "The apps, by id." }),
    redirectUri: Schema.String.annotate({ description: "The redirect URI to register at each provider." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the OAuth2 apps",
    description:
      "Returns the apps of the setting OAUTH_APPS and those added here, without their secrets, and the redirect URI.",
    answer: {
      ok: true,
      data: [OAUTH_APP],
      redirectUri: "https://mail.example.com/oauth/callback",
      nextCursor: null,
    },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params: { id: Id },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id that the app had." }),
      deleted: Deleted,
    }).annotate({ description: "The deleted app." }),
  }),
  error: [OAuthAppNotFound, OAuthAppFixed, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Delete an OAuth2 app",
    description:
      "Deletes the app. Its accounts get no new access tokens, and become unreachable when their last tokens expire.",
    answer: { ok: true, data: { id: OAUTH_APP.id, deleted: true } },
  }),
);

/** OAuth2 apps, for the operator (spec 11.1). */
export class OAuthAppsGroup extends HttpApiGroup.make("oauthApps")
  .add(keep, list, remove)
  .prefix("/api/oauth/apps")
  .middleware(KeyAuthorization)
  .annotate(OpenApi.Title, "OAuth2 apps")
  .annotate(OpenApi.Description, "Clients registered at OAuth2 providers, with the admin key of the operator.") {}
