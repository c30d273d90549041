import { Count } from "@postern/core/rules";
import { Schema } from "effect";

const person = {
  name: Schema.String.annotate({ description: "Name; may be empty." }),
  address: Schema.String.annotate({ description: "Address." }),
};

/** The event of a message's calendar (spec 5.8). */
export const Invitation = Schema.Struct({
  method: Schema.String.annotate({
    description: "`request` invites, `cancel` cancels, `reply` answers; other methods of RFC 5546 are possible.",
  }),
  uid: Schema.String.annotate({ description: "UID of the event, the same in its updates." }),
  sequence: Count.annotate({ description: "Number of changes: above 0, the message updates an earlier invitation." }),
  summary: Schema.String.annotate({ description: "Title of the event." }),
  location: Schema.String.annotate({ description: "Place of the event; may be empty." }),
  start: Schema.String.annotate({
    description:
      "Start: an instant; without `Z`, a local time in an unknown zone; with `allDay`, the first day as `YYYY-MM-DD`.",
  }),
  end: Schema.NullOr(Schema.String).annotate({
    description: "End, in the form of `start`; with `allDay`, the day after the last. Null if the calendar has none.",
  }),
  allDay: Schema.Boolean.annotate({ description: "Whether the event has days instead of times." }),
  recurs: Schema.Boolean.annotate({ description: "Whether the event repeats." }),
  cancelled: Schema.Boolean.annotate({ description: "Whether the event is cancelled." }),
  organizer: Schema.NullOr(Schema.Struct(person)).annotate({
    description: "The organizer; null if the calendar has none.",
  }),
  attendees: Schema.Array(
    Schema.Struct({
      ...person,
      status: Schema.String.annotate({ description: "`accepted`, `tentative`, `declined` or `needs-action`." }),
    }),
  ).annotate({ description: "The invited people, at most 200." }),
}).annotate({ identifier: "Invitation", description: "The event of a message's calendar." });
