import { EVENT_TYPES } from "@postern/core/rules";
import { Schema } from "effect";

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  schema: { type: "string" },
  description,
});

const HEADERS = [
  header("webhook-id", "Id of the event, the same in every attempt. An event may arrive twice."),
  header(
    "webhook-timestamp",
    "Time at which this attempt was signed, in seconds since 1970; refuse an attempt older than five minutes.",
  ),
  header("webhook-signature", "Signatures of Standard Webhooks, `v1,…`, one for each current secret of the endpoint."),
  header("x-service-event", "Type of the event."),
];

const ACCOUNT = {
  type: "object",
  properties: { id: { type: "string" }, email: { type: "string" } },
  required: ["id", "email"],
  description: "The account that the event is about.",
};
const NULLABLE_ACCOUNT = {
  anyOf: [ACCOUNT, { type: "null" }],
  description: "The account of the endpoint; null for an endpoint of an application.",
};

const SAMPLE = {
  id: "evt_0mwraxag6HSlj0x8Z3yHiQp_qEiTXIA",
  timestamp: "2026-03-02T10:00:00.000Z",
  account: { id: "acc_hyexz0RipaUWL3hNPE5dCUrAcXHsPkbSkmCOwUo7GULsVVaoENwT54ZJTRAIC0P1", email: "demo@postern.test" },
};

/** The requests that Postern posts to webhook endpoints, for `webhooks` of an OpenAPI 3.1 document: one entry for each event type (spec 7.1). */
export const eventWebhooks = () =>
  Object.fromEntries(
    Object.entries(EVENT_TYPES).map(([event, { meaning, data, sample }]) => {
      const schema = {
        type: "object",
        properties: {
          id: { type: "string", description: "Id of the event, as in `webhook-id`." },
          event: { type: "string", enum: [event] },
          timestamp: { type: "string", format: "date-time", description: "When it happened." },
          account: event === "webhook.disabled" ? NULLABLE_ACCOUNT : ACCOUNT,
          test: { type: "boolean", enum: [true], description: "Present in an event that only tests the endpoint." },
          data: Schema.toJsonSchemaDocument(data).schema,
        },
        required: ["id", "event", "timestamp", "account", "data"],
      };
      const { id, timestamp, account } = SAMPLE;
      const example = { id, event, timestamp, account, data: sample };
      const post = {
        operationId: `events.${event}`,
        summary: meaning,
        description:
          "Posted to the endpoints that subscribe to this type. Verify the signature before you read the body.",
        parameters: HEADERS,
        requestBody: { required: true, content: { "application/json": { schema, example } } },
        responses: {
          "2XX": { description: "Delivered." },
          "410": { description: "The endpoint is gone: it is disabled." },
          default: { description: "Another answer, or no answer in time: the delivery is attempted again." },
        },
      };
      return [event, { post }];
    }),
  );
