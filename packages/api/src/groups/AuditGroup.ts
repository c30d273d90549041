import { auditFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { documented } from "../document/documented.ts";
import { EndpointAuthorization } from "../auth/EndpointAuthorization.ts";
import { ACCOUNT } from "../examples/accounts.ts";
import { KEY, KEY_ID } from "../examples/keys.ts";
import { Scope } from "../auth/scopes.ts";
import { Instant, NextCursor, Ok, pageQuery } from "../records/wire.ts";

/** A change, a sent message or a call of an agent, recorded with its requester and its target (spec 8.7). */
export const AuditEntry = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the entry." }),
  createdAt: Instant.annotate({ description: "When the change was stored, or when the call ended." }),
  operation: auditFields.operation.annotate({
    description: "The operation, by its `operationId` in this document; `mcp.` and the tool for a call of `/mcp`.",
  }),
  key: Schema.NullOr(Schema.String).annotate({
    description:
      "Id of the requesting service key or grant, or `admin`; null for a session, and for the host of an embedded " +
      "service.",
  }),
  application: Schema.NullOr(Schema.String).annotate({ description: "Application of the key." }),
  account: Schema.NullOr(Schema.String).annotate({
    description: "Id of the account, even if it was deleted since; null for a change that belongs to no account.",
  }),
  target: Schema.NullOr(Schema.String).annotate({
    description:
      "Id of the changed record or the sent message (`out_…`); null for the account itself, and for several messages.",
  }),
  ids: Schema.Array(Schema.String).annotate({
    description:
      "Ids of several messages, or of the messages, drafts and approvals in a call or its answer; empty if `target` is set.",
  }),
  outcome: Schema.String.annotate({
    description:
      "`done`, or why a call was refused or ended: the `code` of a problem, `invalid_request`, `interrupted`.",
  }),
}).annotate({
  identifier: "AuditEntry",
  description: "A change, a sent message or a call of an agent, and its requester.",
});

const list = HttpApiEndpoint.get("list", "/api/audit", {
  query: {
    key: Schema.optionalKey(
      auditFields.key.annotate({ description: "Only entries of this service key or grant; `admin`: of the operator." }),
    ),
    account: Schema.optionalKey(
      auditFields.account.annotate({ description: "Only entries about this account, by id or address." }),
    ),
    operation: Schema.optionalKey(auditFields.operation.annotate({ description: "Only entries of this operation." })),
    ...pageQuery,
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(AuditEntry).annotate({ description: "The entries, newest first." }),
    nextCursor: NextCursor,
  }),
}).annotateMerge(
  documented({
    scope: [...Scope.literals, "admin"],
    summary: "List the audit",
    description:
      "Returns the changes of the last 90 days with their requesters: changes of servers, accounts, keys, OAuth2 " +
      "apps, endpoints and identities, and changes by agents. Mail that was sent, cancelled or deleted is listed " +
      "too. Every call of `/mcp` has an entry for 30 days, including reads and refused calls. The admin key sees " +
      "all entries, a service key its own entries, a session the entries about its account. Other reads are not " +
      "recorded, and entries have no contents of messages.",
    answer: {
      ok: true,
      data: [
        {
          id: "aud_4Xk2pQ9sVb1mTz8R",
          createdAt: "2026-03-02T09:30:00.000Z",
          operation: "send.send",
          key: KEY_ID,
          application: KEY.application,
          account: ACCOUNT.id,
          target: "out_6bOQ1mYx0cT9uHkVd2sR8w",
          ids: [],
          outcome: "done",
        },
      ],
      nextCursor: null,
    },
  }),
);

/** The log of changes, sent messages and calls of agents (spec 8.7). */
export class AuditGroup extends HttpApiGroup.make("audit")
  .add(list)
  .middleware(EndpointAuthorization)
  .annotate(OpenApi.Title, "Audit")
  .annotate(
    OpenApi.Description,
    "The log of changes and sent messages, kept for 90 days, and of calls of agents, kept for 30 days.",
  ) {}
