import { EVENT_TYPES, feedFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { EndpointAuthorization } from "../auth/EndpointAuthorization.ts";
import { documented } from "../document/documented.ts";
import { EVENT } from "../examples/webhooks.ts";
import { FeedExpired, NotFollowed } from "../problems/webhooks.ts";
import { Instant, Ok } from "../records/wire.ts";

/** An event in the feed, in the form of a webhook's body. */
const ChangeEvent = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the event." }),
  event: Schema.String.annotate({
    description: `Type: ${Object.keys(EVENT_TYPES).slice(0, 3).join(", ")} and others.`,
  }),
  timestamp: Instant.annotate({ description: "When the event occurred." }),
  account: Schema.NullOr(
    Schema.Struct({
      id: Schema.String.annotate({ description: "Id of the account." }),
      email: Schema.String.annotate({ description: "Address of the account." }),
    }),
  ).annotate({ description: "The account; null for an event that belongs to no account." }),
  data: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "Data of the event, as in the webhook of this type.",
  }),
}).annotate({ identifier: "ChangeEvent", description: "An event, as webhooks carry it." });

const POSITION = "3f6c1d2e.4711";

const list = HttpApiEndpoint.get("list", "/api/changes", {
  query: {
    after: Schema.optionalKey(
      feedFields.after.annotate({
        description:
          "`next` of the previous answer. Omitted: the answer has no events, and its `next` is the present end of " +
          "the feed.",
        examples: [POSITION],
      }),
    ),
    types: Schema.optionalKey(
      feedFields.types.annotate({
        description: "Types of events, with commas between them. Default: all.",
        examples: ["email.received,email.sent"],
      }),
    ),
    folders: Schema.optionalKey(
      feedFields.folders.annotate({
        description:
          "Folders whose events to return: roles and ids, with commas between them; `*` means all but Junk and " +
          "Trash. Default: `*`. Events that concern no folder are always returned.",
        examples: ["*,junk,trash"],
      }),
    ),
    limit: Schema.optionalKey(
      feedFields.limit.annotateKey({ description: "Maximum number of events in an answer. Default: 100." }),
    ),
    wait: Schema.optionalKey(
      feedFields.wait.annotateKey({ description: "Seconds to wait for an event if there is none yet. Default: 0." }),
    ),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(ChangeEvent).annotate({ description: "The events, in the order of the feed." }),
    next: Schema.String.annotate({ description: "The position after these events: `after` of the next request." }),
    more: Schema.Boolean.annotate({ description: "Whether more events may follow at once." }),
  }),
  error: [FeedExpired, NotFollowed],
}).annotateMerge(
  documented({
    scope: "events",
    summary: "List changes",
    description:
      "Returns the events after a position, with the bodies that webhooks carry. The events of one account are in " +
      "the order in which they happened. A service key without `Postern-Account` gets the events of all accounts " +
      "that it reaches, with one position for all. With this header, or for a session, the answer has the events " +
      "of one account. An endpoint or an open stream must watch this account; otherwise the answer is 409 " +
      "`not_followed`. Store `next` in the same transaction as your own records of these events. A request of any " +
      "process with this value as `after` gets the events that followed. Events are kept for 14 days (410 " +
      "`feed_expired`).",
    answer: { ok: true, data: [EVENT], next: POSITION, more: false },
  }),
);

/** The events of all accounts as one feed (spec 7.10). */
export class ChangesGroup extends HttpApiGroup.make("changes")
  .add(list)
  .middleware(EndpointAuthorization)
  .annotate(OpenApi.Title, "Changes")
  .annotate(OpenApi.Description, "Read what happened since the last time, in all mailboxes or one.") {}
