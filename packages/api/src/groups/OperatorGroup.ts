import { Count, outboxRules } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { KeyAuthorization } from "../auth/KeyAuthorization.ts";
import { documented } from "../document/documented.ts";
import { OPERATOR_OUTGOING_ITEM } from "../examples/outgoing.ts";
import { AccountNotFound } from "../problems/accounts.ts";
import { StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest } from "../problems/requests.ts";
import { OperatorOutgoingItem } from "../records/outgoing-items.ts";
import { NextCursor, Ok, pageQuery } from "../records/wire.ts";
import { endpointDeliveries, endpoints, readBody } from "./keys/application-webhooks.ts";

const filter = {
  application: Schema.optionalKey(
    outboxRules.fields.application.annotate({ description: "Messages requested by keys of this application." }),
  ),
  key: Schema.optionalKey(
    outboxRules.fields.key.annotate({ description: "Messages requested by the service key with this id." }),
  ),
  account: Schema.optionalKey(
    outboxRules.fields.account.annotate({ description: "Messages of the account with this id or address." }),
  ),
  state: Schema.optionalKey(outboxRules.fields.state.annotate({ description: "Messages in this state." })),
};

const list = HttpApiEndpoint.get("list", "/admin/outbox", {
  query: { ...filter, ...pageQuery },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(OperatorOutgoingItem).annotate({ description: "The messages, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [AccountNotFound, InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the outgoing messages of all accounts",
    description:
      "Returns the messages that match all given fields, newest first: envelopes, times and answers of mail " +
      "servers, without subjects and contents.",
    answer: { ok: true, data: [OPERATOR_OUTGOING_ITEM], nextCursor: null },
  }),
);

/** The filter of the messages to change. */
export const ChosenMail = Schema.Struct(filter).check(outboxRules.chosen).annotate({
  identifier: "ChosenMail",
  description: "Messages that match all given fields; at least one field is required.",
});

const BulkOutcome = Schema.Struct({
  messages: Count.annotate({ description: "Number of messages that were changed." }),
  sending: Count.annotate({
    description:
      "Number of messages that are being sent. They are changed when their attempts end, for the recipients that " +
      "remain. A message whose attempt reaches all recipients is not changed.",
  }),
}).annotate({ identifier: "BulkOutcome", description: "How many messages were changed." });

const change = <const Name extends "hold" | "release" | "cancel">(name: Name, summary: string, description: string) =>
  HttpApiEndpoint.post(name, `/admin/outbox/${name}`, {
    payload: ChosenMail,
    success: Schema.Struct({ ok: Ok, data: BulkOutcome }),
    error: [AccountNotFound, StoreUnavailable],
  }).annotateMerge(
    documented({
      scope: "admin",
      summary,
      description: `${description} A failed call may have changed some messages, and can be repeated.`,
      request: { application: OPERATOR_OUTGOING_ITEM.application },
      answer: { ok: true, data: { messages: 120, sending: 1 } },
    }),
  );

const hold = change(
  "hold",
  "Hold outgoing messages",
  "Holds the waiting messages that match all given fields, until the operator releases them or for 30 days. The " +
    "time does not count as waiting.",
);
const release = change(
  "release",
  "Release held messages",
  "Sends the held messages that match all given fields, at once or at their `sendAt`: messages that the " +
    "operator holds, and messages whose key was deleted.",
);
const cancel = change(
  "cancel",
  "Cancel outgoing messages",
  "Cancels the waiting messages that match all given fields, held ones included, for the recipients that have not " +
    "received them.",
);

/** The outbox of all accounts, and the endpoints of applications, for the operator (spec 6.7, 7.13). */
export class OperatorGroup extends HttpApiGroup.make("operator")
  .add(list)
  .add(hold)
  .add(release)
  .add(cancel)
  .add(endpoints)
  .add(endpointDeliveries)
  .add(readBody)
  .prefix("/api")
  .middleware(KeyAuthorization)
  .annotate(OpenApi.Title, "Operator")
  .annotate(
    OpenApi.Description,
    "Find, hold, release and cancel the mail of applications, and inspect their webhooks, with the admin key.",
  ) {}
