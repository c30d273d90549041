import { Schema } from "effect";
import { charsUpTo, Moment, PositiveInt, RecordId, rule, Text, wholeBetween } from "../shared/rules.ts";

/** The maximum number of concurrent requests to an endpoint, by the kind of its owner. */
export const MAX_IN_FLIGHT = { Account: 10, Application: 32 } as const;

/** The form of the ids that `deliveryId` makes. */
const DELIVERY_ID = /^del_[0-9a-z]{16}/;
const DURATION = /^(\d{1,7})(s|m|h|d)$|^0$/;

/** The rules of the fields of requests about endpoints and deliveries (spec 7.6). */
export const webhookFields = {
  id: RecordId,
  deliveryId: RecordId,
  url: Text,
  events: Schema.Array(Text).check(Schema.isMinLength(1, { message: "must name at least one event type" })),
  folders: Schema.Array(Text.check(charsUpTo(100))).check(
    Schema.isMinLength(1, { message: "must name at least one folder" }),
    Schema.isMaxLength(50, { message: "must name at most 50 folders" }),
  ),
  description: Text.check(charsUpTo(500)),
  disablePolicy: Schema.Literals(["literal", "no_success"]),
  maxInFlight: wholeBetween(1, MAX_IN_FLIGHT.Application),
  event: Text,
  state: Schema.Literals(["pending", "held", "in_flight", "succeeded", "exhausted", "cancelled"]),
  cursor: RecordId.check(rule((text) => (DELIVERY_ID.test(text) ? undefined : "must be `nextCursor` of an answer"))),
  limit: PositiveInt,
  overlap: Text.check(
    rule((text) => (DURATION.test(text) ? undefined : "must be 0, or a duration such as 24h, at most 7d")),
  ),
  since: Moment,
  until: Moment,
  states: Schema.Array(Schema.Literals(["held", "exhausted"])).check(
    Schema.isMinLength(1, { message: "must name at least one state" }),
  ),
};
