import { contactFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../../auth/Authorization.ts";
import { documented } from "../../document/documented.ts";
import { ContactNotFound } from "../../problems/contacts.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../../problems/mail-server.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Deleted, Instant, NextCursor, Ok, pageQuery } from "../../records/wire.ts";

const ContactId = contactFields.id.annotate({ description: "Id of the contact.", examples: ["con_Zb3vN8qLkT0xW5Ra"] });

const CONTACT = {
  id: "con_Zb3vN8qLkT0xW5Ra",
  name: "Sam Reed",
  address: "friend@postern.test",
  lastWrittenAt: "2026-03-02T09:00:00.000Z",
};

const Contact = Schema.Struct({
  id: ContactId,
  name: Schema.String.annotate({ description: "Name in the newest message with a name; empty if no message has one." }),
  address: Schema.String.annotate({ description: "Address of the person." }),
  lastWrittenAt: Instant.annotate({ description: "Time of the newest message to the person." }),
}).annotate({ identifier: "Contact", description: "A person to whom the account wrote." });

const list = HttpApiEndpoint.get("list", "/", {
  query: {
    query: Schema.optionalKey(
      contactFields.query.annotate({ description: "Part of the name or address, compared without case." }),
    ),
    cursor: pageQuery.cursor,
    limit: Schema.optionalKey(
      contactFields.limit.annotateKey({ description: "Contacts per page, at most 200. Default: 20." }),
    ),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(Contact).annotate({ description: "The contacts, most recently written to first." }),
    nextCursor: NextCursor,
  }),
  error: MAIL_SERVER_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "Search contacts",
    description:
      "Returns the people in To and Cc of all mail in Sent. If the folder is large, the first requests each read a " +
      "part of it for 5 seconds, starting with the newest mail. Until the whole folder is read, earlier recipients " +
      "are missing. Only a request for the first page reads mail.",
    answer: { ok: true, data: [CONTACT], nextCursor: null },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params: { id: ContactId },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({ id: ContactId, deleted: Deleted }).annotate({ description: "The forgotten contact." }),
  }),
  error: [InvalidRequest, ContactNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:organize",
    summary: "Delete a contact",
    description: "The contact is no longer found until the account writes to it again. No message is changed.",
    answer: { ok: true, data: { id: CONTACT.id, deleted: true } },
  }),
);

/** The people to whom an account wrote (spec 12.5). */
export class ContactsGroup extends HttpApiGroup.make("contacts")
  .add(list)
  .add(remove)
  .prefix("/api/contacts")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Contacts")
  .annotate(OpenApi.Description, "Find the people to whom the account wrote, and forget them.") {}
