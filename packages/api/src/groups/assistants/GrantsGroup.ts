import { assistantFields, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Scope } from "../../auth/scopes.ts";
import { SessionAuthorization } from "../../auth/SessionAuthorization.ts";
import { documented } from "../../document/documented.ts";
import { GRANT } from "../../examples/assistants.ts";
import { AgentGrantChanged, AgentGrantNotFound } from "../../problems/assistants.ts";
import { StoreUnavailable } from "../../problems/mail-server.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { IfMatchHeaders, Version } from "../../records/preconditions.ts";
import { SendPolicy } from "../../records/send-policy.ts";
import { Deleted, Instant, NextCursor, Ok, pageQuery } from "../../records/wire.ts";

const GrantId = RecordId.annotate({ description: "Id of the grant.", examples: [GRANT.id] });

export const AgentGrant = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the grant." }),
  version: Version,
  name: Schema.String.annotate({ description: "Name for people; at first the assistant's name." }),
  client: Schema.Struct({
    id: Schema.String.annotate({ description: "The `client_id` of the assistant." }),
    name: Schema.String.annotate({ description: "Name that the assistant gives itself; not verified." }),
    host: Schema.NullOr(Schema.String).annotate({
      description: "Host that publishes the assistant's metadata document; null if it has none.",
    }),
  }).annotate({ description: "The assistant, as it was when the person consented." }),
  scopes: Schema.Array(Scope).annotate({ description: "What the assistant may do." }),
  sendPolicy: SendPolicy,
  createdAt: Instant.annotate({ description: "When the person consented." }),
  lastUsedAt: Schema.NullOr(Instant).annotate({
    description: "Time of the last request, to within a minute; null before the first.",
  }),
  expiresAt: Instant.annotate({ description: "When the grant ends unless the assistant renews its tokens before." }),
}).annotate({ identifier: "AgentGrant", description: "A person's permission for an assistant in this mailbox." });

export const AgentGrantChange = Schema.Struct({
  name: Schema.optionalKey(assistantFields.grantName.annotate({ description: "Name for people." })),
  sendPolicy: Schema.optionalKey(SendPolicy),
}).annotate({ identifier: "AgentGrantChange", description: "Fields of a grant to change; omitted ones stay." });

const list = HttpApiEndpoint.get("list", "/", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(AgentGrant).annotate({ description: "The grants, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    summary: "List the grants of the account",
    description: "Returns the grants of assistants in this mailbox that have not ended, newest first.",
    answer: { ok: true, data: [GRANT], nextCursor: null },
  }),
);

const change = HttpApiEndpoint.patch("change", "/:id", {
  params: { id: GrantId },
  headers: IfMatchHeaders,
  payload: AgentGrantChange,
  success: Schema.Struct({ ok: Ok, data: AgentGrant }),
  error: [AgentGrantNotFound, AgentGrantChanged, StoreUnavailable],
}).annotateMerge(
  documented({
    summary: "Change a grant",
    description: "Changes the fields in the request. For other scopes, let the assistant ask for access again.",
    request: { name: "Claude on the laptop" },
    answer: { ok: true, data: { ...GRANT, name: "Claude on the laptop" } },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params: { id: GrantId },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id that the grant had." }),
      deleted: Deleted,
    }).annotate({ description: "The grant that ended." }),
  }),
  error: [AgentGrantNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    summary: "End a grant",
    description:
      "Ends the grant: from now on every process refuses the assistant's tokens. Its waiting calls end, and its " +
      "waiting messages are held.",
    answer: { ok: true, data: { id: GRANT.id, deleted: true } },
  }),
);

/** The grants of assistants in people's mailboxes (spec 13.3). */
export class GrantsGroup extends HttpApiGroup.make("grants")
  .add(list, change, remove)
  .prefix("/api/grants")
  .middleware(SessionAuthorization)
  .annotate(OpenApi.Title, "Grants")
  .annotate(OpenApi.Description, "What assistants may do in the mailbox, for its owner.") {}
