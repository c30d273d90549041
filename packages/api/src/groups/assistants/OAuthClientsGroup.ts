import { assistantFields, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { KeyAuthorization } from "../../auth/KeyAuthorization.ts";
import { documented } from "../../document/documented.ts";
import { OAUTH_CLIENT } from "../../examples/assistants.ts";
import { OAuthClientNotFound } from "../../problems/assistants.ts";
import { REPEAT_PROBLEMS } from "../../problems/creations.ts";
import { StoreUnavailable } from "../../problems/mail-server.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { CreationKeyHeaders } from "../../records/preconditions.ts";
import { Deleted, Instant, NextCursor, Ok, pageQuery } from "../../records/wire.ts";

const clientId = "The `client_id` with which the assistant asks for access.";

export const OAuthClient = Schema.Struct({
  id: Schema.String.annotate({ description: clientId }),
  name: Schema.String.annotate({ description: "Name, as people see it when they consent." }),
  redirectUris: Schema.Array(Schema.String).annotate({ description: "The redirect URIs." }),
  source: Schema.Literals(["operator", "registered"]).annotate({
    description: "`operator`: made with the admin key. `registered`: the client registered itself.",
  }),
  createdAt: Instant.annotate({ description: "When the client was made." }),
}).annotate({ identifier: "OAuthClient", description: "An assistant without a metadata document of its own." });

export const NewOAuthClient = Schema.Struct({
  name: assistantFields.clientName.annotate({ description: "Name, as people see it when they consent." }),
  redirectUris: assistantFields.redirectUris.annotate({
    description: "The redirect URIs: https, or http to 127.0.0.1, [::1] or localhost, where any port is accepted.",
  }),
}).annotate({ identifier: "NewOAuthClient", description: "An assistant to add." });

const make = HttpApiEndpoint.post("make", "/", {
  headers: CreationKeyHeaders,
  payload: NewOAuthClient,
  success: Schema.Struct({ ok: Ok, data: OAuthClient }),
  error: [InvalidRequest, StoreUnavailable, ...REPEAT_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Add an OAuth client",
    description: "Adds an assistant without a metadata document. It is a public client, without a secret.",
    request: { name: OAUTH_CLIENT.name, redirectUris: OAUTH_CLIENT.redirectUris },
    answer: { ok: true, data: OAUTH_CLIENT },
  }),
);

const list = HttpApiEndpoint.get("list", "/", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(OAuthClient).annotate({ description: "The clients, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the OAuth clients",
    description: "Returns the clients added here and those that registered themselves, newest first.",
    answer: { ok: true, data: [OAUTH_CLIENT], nextCursor: null },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params: { id: RecordId.annotate({ description: clientId, examples: [OAUTH_CLIENT.id] }) },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id that the client had." }),
      deleted: Deleted,
    }).annotate({ description: "The deleted client." }),
  }),
  error: [OAuthClientNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Delete an OAuth client",
    description:
      "Deletes the client, so that it gets no further grants. Its present grants stay until their owners end them.",
    answer: { ok: true, data: { id: OAUTH_CLIENT.id, deleted: true } },
  }),
);

/** Assistants without a metadata document, for the operator (spec 13.3). */
export class OAuthClientsGroup extends HttpApiGroup.make("oauthClients")
  .add(make, list, remove)
  .prefix("/api/oauth/clients")
  .middleware(KeyAuthorization)
  .annotate(OpenApi.Title, "OAuth clients")
  .annotate(OpenApi.Description, "Assistants without a metadata document, with the admin key of the operator.") {}
