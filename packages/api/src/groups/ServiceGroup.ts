import { Count } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { NotReady } from "../problems/requests.ts";
import { Ok } from "../records/wire.ts";

/** Limits of requests (spec 8). */
export const Limits = Schema.Struct({
  defaultPageSize: Schema.Int.annotate({ description: "Messages per page if a request names no `limit`." }),
  maxPageSize: Schema.Int.annotate({ description: "Maximum number of messages per page." }),
  maxRequestBytes: Schema.Int.annotate({ description: "Maximum size of a JSON request body, in bytes." }),
  maxMessageBytes: Schema.Int.annotate({
    description:
      "Maximum size of an encoded message, in bytes; lower if the account's mail server announced a lower limit.",
  }),
  maxAttachmentBytes: Schema.Int.annotate({ description: "Maximum size of an uploaded file, in bytes." }),
  maxAttachments: Schema.Int.annotate({ description: "Maximum number of files of a message." }),
  maxRecipients: Schema.Int.annotate({
    description: "Maximum number of recipients of a message: `to`, `cc` and `bcc` together.",
  }),
  sendPerMinute: Schema.Int.annotate({ description: "Messages that the account may send in a minute." }),
  sendPerDay: Schema.Int.annotate({ description: "Messages that the account may send in 24 hours." }),
  maxWebhookEndpoints: Schema.Int.annotate({ description: "Maximum number of webhook endpoints of the account." }),
  webhookRetryDelays: Schema.Array(Count).annotate({
    description: "Milliseconds from the end of a failed attempt to the next, for each retry of a webhook delivery.",
  }),
}).annotate({ identifier: "Limits", description: "The limits of the service." });

const Health = Schema.Struct({
  ok: Ok,
  status: Schema.String.annotate({ description: "`live` or `ready`." }),
  unreachable: Schema.optionalKey(Schema.Array(Schema.Literals(["imap", "smtp"]))).annotate({
    description:
      "The mail servers of the deployment that accept no connection, if any. The service is ready without them.",
  }),
  failing: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "The background workers whose claims have all failed for a minute, if any.",
  }),
  missingKeys: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "The names of the keys of `CREDENTIAL_KEYS` that stored secrets need and this process lacks, if any.",
  }),
}).annotate({ identifier: "Health", description: "The state of the service." });

const limits = HttpApiEndpoint.get("limits", "/api/limits", {
  success: Schema.Struct({ ok: Ok, data: Limits }),
})
  .middleware(Authorization)
  .annotateMerge(
    documented({
      scope: "mail:read",
      summary: "List the limits",
      description: "Returns the limits of requests, messages and webhooks as this service applies them to the account.",
      answer: {
        ok: true,
        data: {
          defaultPageSize: 20,
          maxPageSize: 200,
          maxRequestBytes: 1_048_576,
          maxMessageBytes: 36_700_160,
          maxAttachmentBytes: 26_214_400,
          maxAttachments: 20,
          maxRecipients: 100,
          sendPerMinute: 60,
          sendPerDay: 1000,
          maxWebhookEndpoints: 100,
          webhookRetryDelays: [60_000, 300_000, 900_000, 3_600_000, 21_600_000],
        },
      },
    }),
  );

const live = HttpApiEndpoint.get("live", "/health/live", { success: Health }).annotateMerge(
  documented({
    summary: "Check that the process runs",
    description: "Answers 200 as long as the process runs, without asking the database. For a liveness probe.",
    answer: { ok: true, status: "live" },
    lenient: true,
  }),
);

const ready = HttpApiEndpoint.get("ready", "/health/ready", {
  success: Health,
  error: NotReady,
}).annotateMerge(
  documented({
    summary: "Check that the service accepts requests",
    description:
      "Answers 200 if the database answers and the process is not stopping, otherwise 503. Names the mail servers of the " +
      "deployment that were unreachable some seconds ago. For a readiness probe and load balancers.",
    answer: { ok: true, status: "ready" },
    lenient: true,
  }),
);

const keys = HttpApiEndpoint.get("keys", "/.well-known/jwks.json", {
  success: Schema.Struct({
    keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "The keys (RFC 7517): those in use, and those that still verify tokens.",
    }),
  }).annotate({ identifier: "JsonWebKeySet", description: "Public keys (RFC 7517)." }),
}).annotateMerge(
  documented({
    summary: "List the public keys of the access tokens",
    description:
      "Returns a JSON Web Key Set (RFC 7517), with which another service can verify access tokens by itself.",
    answer: {
      keys: [
        {
          kty: "OKP",
          crv: "Ed25519",
          x: "I40lKEioc2UTF5NyINEioPFL0JSTdolh5Ig903yn2o0",
          kid: "k0b3ebf71",
          alg: "EdDSA",
          use: "sig",
        },
      ],
    },
  }),
);

/** The service itself (spec 8). */
export class ServiceGroup extends HttpApiGroup.make("service")
  .add(limits)
  .add(live)
  .add(ready)
  .add(keys)
  .annotate(OpenApi.Title, "Service")
  .annotate(OpenApi.Description, "Limits, health checks and public keys of the service.") {}
