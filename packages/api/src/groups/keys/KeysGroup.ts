import { Count, keyFields, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { documented } from "../../document/documented.ts";
import { APPLICATION, KEY, KEY_ID, NEW_KEY } from "../../examples/keys.ts";
import { KeyAuthorization } from "../../auth/KeyAuthorization.ts";
import { CreationKeyHeaders, IfMatchHeaders } from "../../records/preconditions.ts";
import { REPEAT_PROBLEMS } from "../../problems/creations.ts";
import { ApplicationChanged, ApplicationNotFound, KeyChanged, KeyNotFound } from "../../problems/keys.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Application, ApplicationChange } from "./applications.ts";
import { KeyId, MadeServiceKey, NewServiceKey, ServiceKey, ServiceKeyChange } from "./service-keys.ts";
import { Deleted, NextCursor, Ok, pageQuery } from "../../records/wire.ts";

const keyParams = { id: RecordId.annotate({ description: "Id of the key.", examples: [KEY_ID] }) };

const make = HttpApiEndpoint.post("make", "/keys", {
  headers: CreationKeyHeaders,
  payload: NewServiceKey,
  success: Schema.Struct({ ok: Ok, data: MadeServiceKey }),
  error: REPEAT_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Create a service key",
    description:
      "Makes a key for the backend of an application. The answer has the key, of which only a hash is stored: it is " +
      "not shown again. A repeat makes another key, unless both requests have the same `Idempotency-Key`.",
    request: {
      name: KEY.name,
      application: KEY.application,
      scopes: KEY.scopes,
      accounts: KEY.accounts,
      networks: KEY.networks,
      expiresAt: KEY.expiresAt,
      sendPerDay: KEY.sendPerDay,
      notify: KEY.notify,
    },
    answer: { ok: true, data: NEW_KEY },
  }),
);

const list = HttpApiEndpoint.get("list", "/keys", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(ServiceKey).annotate({ description: "The keys, newest first." }),
    nextCursor: NextCursor,
  }),
  error: InvalidRequest,
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the service keys",
    description: "Returns all keys, also expired ones, newest first, without their secrets.",
    answer: { ok: true, data: [KEY], nextCursor: null },
  }),
);

const change = HttpApiEndpoint.patch("change", "/keys/:id", {
  params: keyParams,
  headers: IfMatchHeaders,
  payload: ServiceKeyChange,
  success: Schema.Struct({ ok: Ok, data: ServiceKey }),
  error: [KeyNotFound, KeyChanged],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Change a service key",
    description:
      "Changes the fields that the request names; the secret and the application stay. From the next request on " +
      "every process applies the new rights, and event streams that the key may no longer open end. Earlier " +
      "messages and links of the key stay. A later `expiresAt` revives an expired key.",
    request: { sendPerDay: 5000, expiresAt: null },
    answer: { ok: true, data: { ...KEY, sendPerDay: 5000, expiresAt: null } },
  }),
);

const Ended = Schema.Struct({
  messages: Count.annotate({ description: "Number of waiting messages that are now held or cancelled." }),
  endpoints: Count.annotate({ description: "Number of deleted webhook endpoints." }),
  links: Count.annotate({ description: "Number of ended links for connecting accounts that were still valid." }),
  grants: Count.annotate({ description: "Number of ended grants of agents." }),
}).annotate({
  identifier: "EndedData",
  description: "The numbers of records that ended with a key or an application.",
});

const WAITING =
  "waiting messages that were requested with it: `keep` sends them at their time, `hold` holds them until they are " +
  "released, for at most 30 days, `cancel` cancels them";

const remove = HttpApiEndpoint.delete("remove", "/keys/:id", {
  query: {
    mail: Schema.optionalKey(keyFields.mail.annotate({ description: `Action on ${WAITING}. Default: \`hold\`.` })),
  },
  params: keyParams,
  headers: IfMatchHeaders,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: KeyId,
      deleted: Deleted,
      ended: Ended,
    }).annotate({
      description: "The deleted key.",
    }),
  }),
  error: [KeyNotFound, KeyChanged],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Delete a service key",
    description:
      "Ends the key: after the answer no process accepts it, and its event streams end within a second. Waiting " +
      "messages that it requested are held, until `POST /api/outbox/{id}/release` or for 30 days, unless `mail` says " +
      "otherwise. Its links for connecting accounts end; webhook endpoints of its application stay.",
    answer: {
      ok: true,
      data: { id: KEY_ID, deleted: true, ended: { messages: 2, endpoints: 0, links: 0, grants: 0 } },
    },
  }),
);

const applicationParams = {
  name: keyFields.application.annotate({ description: "Name of the application.", examples: [KEY.application] }),
};

const applications = HttpApiEndpoint.get("applications", "/applications", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(Application).annotate({ description: "The applications, by name." }),
    nextCursor: NextCursor,
  }),
  error: InvalidRequest,
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "List the applications",
    description:
      "Returns all applications that have a key, by name, with the name, purpose, colour and logo that users see.",
    answer: { ok: true, data: [APPLICATION], nextCursor: null },
  }),
);

const changeApplication = HttpApiEndpoint.patch("changeApplication", "/applications/:name", {
  params: applicationParams,
  headers: IfMatchHeaders,
  payload: ApplicationChange,
  success: Schema.Struct({ ok: Ok, data: Application }),
  error: [ApplicationNotFound, ApplicationChanged],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Change an application",
    description:
      "Sets the name, the purpose, the colour and the logo of the page on which users connect a mailbox to the " +
      "application; open pages do not change. Also sets the address for notices about its webhook endpoints.",
    request: { displayName: APPLICATION.displayName, purpose: APPLICATION.purpose, colour: APPLICATION.colour },
    answer: { ok: true, data: APPLICATION },
  }),
);

const removeApplication = HttpApiEndpoint.delete("removeApplication", "/applications/:name", {
  query: {
    mail: Schema.optionalKey(keyFields.mail.annotate({ description: `Action on ${WAITING}. Default: \`cancel\`.` })),
  },
  params: applicationParams,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Name of the application." }),
      name: Schema.String.annotate({ description: "Name of the application." }),
      deleted: Deleted,
      ended: Ended,
      keys: Schema.Array(KeyId).annotate({ description: "Ids of the deleted keys." }),
    }).annotate({ description: "The deleted application." }),
  }),
  error: ApplicationNotFound,
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Delete an application",
    description:
      "Deletes all keys of the application and its webhook endpoints, and cancels the waiting messages that its " +
      "keys requested, including held ones, unless `mail` says otherwise. Links for " +
      "connecting accounts end.",
    answer: {
      ok: true,
      data: {
        id: KEY.application,
        name: KEY.application,
        deleted: true,
        ended: { messages: 3, endpoints: 1, links: 1, grants: 0 },
        keys: [KEY_ID],
      },
    },
  }),
);

const setSuspended = <const Name extends "suspend" | "resume">(name: Name, summary: string, description: string) =>
  HttpApiEndpoint.post(name, `/applications/:name/${name}`, {
    params: applicationParams,
    success: Schema.Struct({
      ok: Ok,
      data: Schema.Struct({
        id: Schema.String.annotate({ description: "Name of the application." }),
        suspended: Schema.Boolean.annotate({ description: "Whether the application is suspended now." }),
      }).annotate({ description: "The application." }),
    }),
    error: ApplicationNotFound,
  }).annotateMerge(
    documented({
      scope: "admin",
      summary,
      description,
      answer: { ok: true, data: { id: KEY.application, suspended: name === "suspend" } },
    }),
  );

const suspend = setSuspended(
  "suspend",
  "Suspend an application",
  "Suspends the application. After the answer, every request of its keys gets 403 `application_suspended`. The " +
    "messages that its keys requested wait for up to 30 days, and its events are held for up to 14 days. Messages " +
    "and events that are being sent are not interrupted.",
);
const resume = setSuspended(
  "resume",
  "Resume an application",
  "Ends the suspension of an application: its keys are accepted, and its waiting messages and events are sent. The " +
    "time of the suspension does not count as waiting.",
);

/** Service keys and applications, for the operator (spec 10.2). */
export class KeysGroup extends HttpApiGroup.make("keys")
  .add(make)
  .add(list)
  .add(change)
  .add(remove)
  .add(applications)
  .add(changeApplication)
  .add(removeApplication)
  .add(suspend)
  .add(resume)
  .prefix("/api")
  .middleware(KeyAuthorization)
  .annotate(OpenApi.Title, "Service keys")
  .annotate(OpenApi.Description, "Make and delete the keys of applications, with the admin key of the operator.") {}
