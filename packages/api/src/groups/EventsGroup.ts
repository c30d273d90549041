import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { textUpTo } from "../wire.ts";

/** One message of the stream (WHATWG, server-sent events); `data` is what a webhook's body would be. */
const ServerSentEvent = Schema.Struct({
  id: Schema.optionalKey(
    Schema.String.annotate({ description: "The event's id: `Last-Event-ID` of the next request." }),
  ),
  event: Schema.String.annotate({
    description: "The kind of event, such as `email.received`; or `gap`: events may be missing before the next.",
  }),
  data: Schema.String.annotate({ description: "`{id, event, timestamp, data}` as JSON; `{}` of a gap." }),
}).annotate({ identifier: "ServerSentEvent" });

const stream = HttpApiEndpoint.get("stream", "/", {
  headers: {
    "last-event-id": Schema.optionalKey(
      textUpTo(128).annotate({
        description: "The last event seen: the stream goes on after it. Otherwise from now on.",
      }),
    ),
  },
  success: HttpApiSchema.StreamSse({ events: ServerSentEvent }),
  error: MAIL_SERVER_PROBLEMS,
})
  .annotate(OpenApi.Summary, "Events as they happen (server-sent events)")
  .annotate(
    OpenApi.Description,
    "The same bodies that webhooks get. The account is watched while a stream is open. A comment every 15 seconds shows " +
      "that the stream lives; it ends with the session, and when the service stops: connect again with `Last-Event-ID`.",
  );

/** Live events (spec 7). */
export class EventsGroup extends HttpApiGroup.make("events")
  .add(stream)
  .prefix("/api/events")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "What happens to the account's mail, live.") {}
