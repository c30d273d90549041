import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { NotReady } from "../problems/requests.ts";
import { ReadLeniently } from "../ReadLeniently.ts";
import { Count, Ok } from "../wire.ts";

/** What a client may ask for (spec 8). */
export const Limits = Schema.Struct({
  defaultPageSize: Schema.Int,
  maxPageSize: Schema.Int,
  maxRequestBytes: Schema.Int.annotate({ description: "Of a JSON request body." }),
  maxMessageBytes: Schema.Int.annotate({
    description: "Of a message once encoded; the mail server's own limit if lower.",
  }),
  maxAttachmentBytes: Schema.Int,
  maxAttachments: Schema.Int,
  maxRecipients: Schema.Int,
  sendPerMinute: Schema.Int,
  sendPerDay: Schema.Int,
  maxWebhookEndpoints: Schema.Int,
  webhookRetryDelays: Schema.Array(Count).annotate({
    description: "Milliseconds between the attempts to deliver an event, from the end of the one that failed.",
  }),
}).annotate({ identifier: "Limits" });

const Health = Schema.Struct({ ok: Ok, status: Schema.String }).annotate({ identifier: "Health" });

const limits = HttpApiEndpoint.get("limits", "/api/limits", {
  success: Schema.Struct({ ok: Ok, data: Limits }),
})
  .middleware(Authorization)
  .annotate(OpenApi.Summary, "What a client may ask for");

const live = HttpApiEndpoint.get("live", "/health/live", { success: Health })
  .annotate(ReadLeniently, true)
  .annotate(OpenApi.Summary, "Whether the process runs");

const ready = HttpApiEndpoint.get("ready", "/health/ready", {
  success: Health,
  error: NotReady,
})
  .annotate(ReadLeniently, true)
  .annotate(OpenApi.Summary, "Whether requests are taken");

const keys = HttpApiEndpoint.get("keys", "/.well-known/jwks.json", {
  success: Schema.Struct({ keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) }).annotate({
    identifier: "JsonWebKeySet",
  }),
}).annotate(OpenApi.Summary, "Public keys of the access tokens (RFC 7517)");

/** The service itself (spec 8). */
export class ServiceGroup extends HttpApiGroup.make("service")
  .add(limits)
  .add(live)
  .add(ready)
  .add(keys)
  .annotate(OpenApi.Description, "Limits, health and keys of the service.") {}
