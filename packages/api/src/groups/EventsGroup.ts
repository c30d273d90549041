import { feedFields, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { EndpointAuthorization } from "../auth/EndpointAuthorization.ts";
import { documented } from "../document/documented.ts";
import { EVENT } from "../examples/webhooks.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";

/** One message of the stream (WHATWG, server-sent events); `data` is the same text as the body of a webhook. */
const ServerSentEvent = Schema.Struct({
  id: Schema.optionalKey(
    Schema.String.annotate({
      description: "`Last-Event-ID` for a request that resumes the stream after this event. A gap has no id.",
    }),
  ),
  event: Schema.String.annotate({
    description: "Event type, such as `email.received`; `gap` if events may be missing before the next one.",
  }),
  data: Schema.String.annotate({
    description: "`{id, event, timestamp, account, data}` as JSON text; `{}` for a gap.",
  }),
}).annotate({ identifier: "ServerSentEvent", description: "A message of the event stream." });

const stream = HttpApiEndpoint.get("stream", "/", {
  query: {
    folders: Schema.optionalKey(
      feedFields.folders.annotate({
        description:
          "Folders whose events to send: roles and ids, with commas between them; `*` means all but Junk and Trash. " +
          "Default: `inbox`. Other folders have events in accounts that follow all folders.",
        examples: ["*"],
      }),
    ),
  },
  headers: {
    "last-event-id": Schema.optionalKey(
      RecordId.annotate({
        description: "Last `id:` received: the stream resumes after it. Default: it starts now.",
        examples: [EVENT.id],
      }),
    ),
  },
  success: HttpApiSchema.StreamSse({ events: ServerSentEvent }),
  error: MAIL_SERVER_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "events",
    summary: "Stream events",
    description:
      "Sends events as they happen, as server-sent events with the bodies that webhooks get. A service key without " +
      "`Postern-Account` gets the events of all accounts that it reaches, with one position for all. The mailboxes " +
      "are watched while a stream is open. The stream begins with an `id:` without an event. A client that loses " +
      "the connection before its first event sends this id as `Last-Event-ID`. A comment every 15 seconds keeps " +
      "the connection alive. The stream ends with the session or the key, and when the service stops; then " +
      "reconnect with `Last-Event-ID`.",
    answer: { id: EVENT.id, event: EVENT.event, data: JSON.stringify(EVENT) },
  }),
);

/** Live events (spec 7). */
export class EventsGroup extends HttpApiGroup.make("events")
  .add(stream)
  .prefix("/api/events")
  .middleware(EndpointAuthorization)
  .annotate(OpenApi.Title, "Live events")
  .annotate(OpenApi.Description, "Follow what happens in the mailbox over one open connection.") {}
