import { AgentGrants, AssistantClients } from "@postern/core/assistants";
import { Accounts, AccountProtocolLog, Discovery } from "@postern/core/accounts";
import { Blocks } from "@postern/core/arrivals";
import { Audit } from "@postern/core/audit";
import { AccountSessions, keyChangesOf, keyRequestOf, Keys, SessionTokens } from "@postern/core/auth";
import { Approvals, Drafts, DraftSender } from "@postern/core/drafts";
import { FolderManagement } from "@postern/core/folders";
import {
  AccountChanges,
  AccountCreation,
  accountPatchOf,
  DeviceConnections,
  LiveEvents,
  newAccountOf,
  SignIn,
  Unsubscription,
} from "@postern/core/lifecycle";
import { Inbox, MessageActions, messageBatchOf, Messages, Search, Threads } from "@postern/core/messages";
import { Apps, ConnectLinks } from "@postern/core/oauth";
import { Contacts, Identities, Invitations, MessageSender, Outbox, Uploads } from "@postern/core/send";
import { AccountId, OpaqueIds } from "@postern/core/shared";
import { ownedBy, ownedByApplication, WebhookDeliveries, WebhookEndpoints, WebhookTrial } from "@postern/core/webhooks";
import type { Harness } from "@postern/harness";
import { Clock, Effect, Redacted } from "effect";
import { DEMO } from "../key-world.ts";

/** What a request gives, as the core takes it: numbers are numbers, also those of a query. */
export interface Given {
  readonly path: Readonly<Record<string, string>>;
  // The values are wrong on purpose.
  readonly query: any;
  readonly header: Readonly<Record<string, string>>;
  readonly body: any;
}

type InCore = Parameters<Harness["inCore"]>[0];

const ACCOUNT = AccountId(DEMO);
const OWNER = ownedBy(ACCOUNT);
const OPERATOR = { reach: null, key: null };
const CLIENT = { network: "192.0.2.1", userAgent: "" };

const creationKey = (header: Given["header"]) => {
  const key = header["idempotency-key"];
  return key === undefined ? undefined : { caller: "test", key, account: ACCOUNT };
};

const signIn = (body: any) =>
  Effect.flatMap(SignIn, (one) => one.withPassword(body.email, Redacted.make(body.password), CLIENT));

/** The use case of each operation that takes input, or why there is none to compare. */
export const USE_CASES: Readonly<Record<string, ((given: Given) => InCore) | string>> = {
  "POST /api/auth/mobile-login": ({ body }) => signIn(body),
  "POST /api/auth/login": ({ body }) =>
    Effect.flatMap(SignIn, (one) => one.forBrowser(body.email, Redacted.make(body.password), CLIENT)),
  "POST /api/auth/refresh": ({ body }) => Effect.flatMap(SessionTokens, (one) => one.exchange(body.refreshToken)),
  "GET /api/auth/providers": ({ query }) => Effect.flatMap(Apps, (one) => one.ofSignIn(query.email, query)),
  "GET /api/auth/sessions": ({ query }) => Effect.flatMap(AccountSessions, (one) => one.page(ACCOUNT, query)),
  "DELETE /api/auth/sessions/{id}": ({ path }) =>
    Effect.flatMap(AccountSessions, (one) => one.end(ACCOUNT, path["id"]!)),

  "GET /api/accounts": ({ query }) => Effect.flatMap(Accounts, (one) => one.page(query, null)),
  "POST /api/accounts": ({ body, header }) =>
    Effect.flatMap(AccountCreation, (one) =>
      Effect.flatMap(newAccountOf(body), (account) => one.create(account, null, creationKey(header))),
    ),
  "POST /api/accounts/discover": ({ body }) => Effect.flatMap(Discovery, (one) => one.ofAddress(body.email)),
  "POST /api/accounts/connect": ({ body, header }) =>
    Effect.flatMap(ConnectLinks, (one) => one.make(body, OPERATOR, creationKey(header))),
  "POST /api/accounts/connect/device": ({ body }) =>
    Effect.flatMap(DeviceConnections, (one) => one.start(body, OPERATOR)),
  "GET /api/accounts/connect/device/{id}": ({ path }) =>
    Effect.flatMap(DeviceConnections, (one) => one.poll(path["id"]!, null)),
  "PATCH /api/account": ({ body }) => Effect.flatMap(AccountChanges, (one) => one.follow(ACCOUNT, body.follow)),
  "GET /api/accounts/{id}": ({ path }) => Effect.flatMap(Accounts, (one) => one.find(path["id"]!, null)),
  "PATCH /api/accounts/{id}": ({ path, body }) =>
    Effect.flatMap(AccountChanges, (one) =>
      Effect.flatMap(accountPatchOf(body), (patch) => one.change(path["id"]!, patch, null)),
    ),
  "DELETE /api/accounts/{id}": ({ path }) => Effect.flatMap(Accounts, (one) => one.find(path["id"]!, null)),
  "POST /api/accounts/{id}/verify": ({ path }) =>
    Effect.flatMap(AccountChanges, (one) => one.verify(path["id"]!, null)),
  "GET /api/accounts/{id}/export": ({ path }) => Effect.flatMap(Accounts, (one) => one.find(path["id"]!, null)),
  "POST /api/accounts/{id}/trace": ({ path, body }) =>
    Effect.flatMap(AccountProtocolLog, (one) => one.start(path["id"]!, body.minutes)),
  "GET /api/accounts/{id}/trace": ({ path }) => Effect.flatMap(AccountProtocolLog, (one) => one.text(path["id"]!)),
  "DELETE /api/accounts/{id}/trace": ({ path }) => Effect.flatMap(AccountProtocolLog, (one) => one.end(path["id"]!)),

  "POST /api/settings/folders": ({ body: { name, parentId = null }, header }) =>
    Effect.flatMap(FolderManagement, (one) => one.create(ACCOUNT, { name, parentId }, creationKey(header))),
  "PATCH /api/settings/folders/{id}": ({ path, body }) =>
    Effect.flatMap(FolderManagement, (one) => one.change(ACCOUNT, path["id"]!, body)),
  "DELETE /api/settings/folders/{id}": ({ path, query: { moveTo } }) =>
    Effect.flatMap(FolderManagement, (one) =>
      one.remove(ACCOUNT, path["id"]!, { moveTo, permanent: false, recursive: false }),
    ),

  "GET /api/inbox": ({ query }) => Effect.flatMap(Inbox, (one) => one.list(ACCOUNT, query)),
  "GET /api/messages": ({ query }) => Effect.flatMap(Inbox, (one) => one.listAccount(ACCOUNT, query)),
  "GET /api/messages/{id}": ({ path }) => Effect.flatMap(Messages, (one) => one.read(ACCOUNT, path["id"]!)),
  "GET /api/messages/{id}/raw": ({ path }) => Effect.flatMap(Messages, (one) => one.raw(ACCOUNT, path["id"]!)),
  "GET /api/messages/{id}/attachments/{attachmentId}": ({ path }) =>
    Effect.flatMap(Messages, (one) => one.attachment(ACCOUNT, path["id"]!, path["attachmentId"]!)),
  "PATCH /api/messages/{id}": ({ path, body: { folderId, ...flags } }) =>
    Effect.flatMap(MessageActions, (one) => one.change(ACCOUNT, path["id"]!, flags, folderId)),
  "DELETE /api/messages/{id}": ({ path }) =>
    Effect.flatMap(MessageActions, (one) => one.remove(ACCOUNT, path["id"]!, false)),
  "POST /api/messages/batch": ({ body }) =>
    Effect.gen(function* () {
      const { messages, action } = yield* messageBatchOf(body);
      const ids = messages._tag === "Ids" ? messages.ids : yield* (yield* Search).ids(ACCOUNT, messages.query);
      return yield* (yield* MessageActions).carryOut(ACCOUNT, ids, action);
    }),
  "POST /api/messages/wait": ({ body }) =>
    Effect.flatMap(LiveEvents, (one) => one.waitFor(ACCOUNT, { timeout: 0, ...body }, Effect.void, Effect.never)),
  "POST /api/messages/{id}/unsubscribe": ({ path }) =>
    Effect.flatMap(Unsubscription, (one) => one.unsubscribe(ACCOUNT, path["id"]!, null)),
  "POST /api/messages/{id}/invitation": ({ path, body }) =>
    Effect.flatMap(Invitations, (one) => one.answer(ACCOUNT, path["id"]!, body, null)),
  "GET /api/settings/blocks": ({ query }) => Effect.flatMap(Blocks, (one) => one.page(ACCOUNT, query)),
  "POST /api/settings/blocks": ({ body }) => Effect.flatMap(Blocks, (one) => one.add(ACCOUNT, body.address)),
  "DELETE /api/settings/blocks/{id}": ({ path }) => Effect.flatMap(Blocks, (one) => one.remove(ACCOUNT, path["id"]!)),
  "GET /api/contacts": ({ query }) => Effect.flatMap(Contacts, (one) => one.search(ACCOUNT, query)),
  "DELETE /api/contacts/{id}": ({ path }) => Effect.flatMap(Contacts, (one) => one.forget(ACCOUNT, path["id"]!)),
  "GET /api/search": ({ query }) => Effect.flatMap(Search, (one) => one.list(ACCOUNT, query)),
  "GET /api/labels": ({ query }) => Effect.flatMap(Search, (one) => one.labels(ACCOUNT, query)),
  "GET /api/threads/{id}": ({ path }) => Effect.flatMap(Threads, (one) => one.list(ACCOUNT, path["id"]!)),

  "POST /api/send": ({ body, header }) =>
    Effect.flatMap(MessageSender, (one) => one.send(ACCOUNT, body, header["idempotency-key"])),
  "GET /api/outbox": ({ query }) => Effect.flatMap(Outbox, (one) => one.page(ACCOUNT, query)),
  "GET /api/outbox/{id}": ({ path }) => Effect.flatMap(Outbox, (one) => one.find(ACCOUNT, path["id"]!)),
  "GET /api/admin/outbox": ({ query }) => Effect.flatMap(Outbox, (one) => one.pageOfAll(query)),
  "GET /api/applications/{name}/webhooks": ({ path, query }) =>
    Effect.gen(function* () {
      return yield* (yield* WebhookEndpoints).page(yield* ownedByApplication(path["name"]!), query);
    }),
  "GET /api/applications/{name}/webhooks/{id}/deliveries": ({ path, query }) =>
    Effect.gen(function* () {
      return yield* (yield* WebhookDeliveries).page(yield* ownedByApplication(path["name"]!), path["id"]!, query);
    }),
  "POST /api/applications/{name}/webhooks/{id}/deliveries/{deliveryId}/body": ({ path }) =>
    Effect.gen(function* () {
      const owner = yield* ownedByApplication(path["name"]!);
      return yield* (yield* WebhookDeliveries).readBody(owner, path["id"]!, path["deliveryId"]!);
    }),
  "POST /api/admin/outbox/hold": ({ body }) => Effect.flatMap(Outbox, (one) => one.changeAll("hold", body)),
  "POST /api/admin/outbox/release": ({ body }) => Effect.flatMap(Outbox, (one) => one.changeAll("release", body)),
  "POST /api/admin/outbox/cancel": ({ body }) => Effect.flatMap(Outbox, (one) => one.changeAll("cancel", body)),
  "DELETE /api/outbox/{id}": ({ path }) => Effect.flatMap(Outbox, (one) => one.cancel(ACCOUNT, path["id"]!)),
  "POST /api/outbox/{id}/send-now": ({ path }) => Effect.flatMap(Outbox, (one) => one.sendNow(ACCOUNT, path["id"]!)),
  "POST /api/outbox/{id}/release": ({ path }) =>
    Effect.flatMap(Outbox, (one) => one.release(ACCOUNT, path["id"]!, null)),
  "GET /api/approvals": ({ query }) => Effect.flatMap(Approvals, (one) => one.page(ACCOUNT, query)),
  "GET /api/approvals/{id}": ({ path }) => Effect.flatMap(Approvals, (one) => one.find(ACCOUNT, path["id"]!)),
  "POST /api/approvals/{id}/approve": ({ path }) =>
    Effect.flatMap(Approvals, (one) => one.approve(ACCOUNT, path["id"]!, "1", null)),
  "POST /api/approvals/{id}/deny": ({ path, body }) =>
    Effect.flatMap(Approvals, (one) => one.deny(ACCOUNT, path["id"]!, body?.reason, null)),
  "GET /api/drafts": ({ query }) => Effect.flatMap(Drafts, (one) => one.page(ACCOUNT, query)),
  "POST /api/drafts": ({ body, header }) =>
    Effect.flatMap(Drafts, (one) => one.create(ACCOUNT, body, creationKey(header))),
  "GET /api/drafts/{id}": ({ path }) => Effect.flatMap(Drafts, (one) => one.get(ACCOUNT, path["id"]!)),
  "PUT /api/drafts/{id}": ({ path, body }) =>
    Effect.flatMap(Drafts, (one) => one.save(ACCOUNT, path["id"]!, "1", body)),
  "DELETE /api/drafts/{id}": ({ path }) => Effect.flatMap(Drafts, (one) => one.remove(ACCOUNT, path["id"]!)),
  "POST /api/drafts/{id}/send": ({ path, header }) =>
    Effect.flatMap(DraftSender, (one) => one.send(ACCOUNT, path["id"]!, undefined, header["idempotency-key"])),
  "GET /api/identities": ({ query }) => Effect.flatMap(Identities, (one) => one.page(ACCOUNT, query)),
  "POST /api/identities": ({ body, header }) =>
    Effect.flatMap(Identities, (one) => one.create(ACCOUNT, body, false, creationKey(header))),
  "PATCH /api/identities/{id}": ({ path, body }) =>
    Effect.flatMap(Identities, (one) => one.change(ACCOUNT, path["id"]!, body)),
  "DELETE /api/identities/{id}": ({ path }) => Effect.flatMap(Identities, (one) => one.remove(ACCOUNT, path["id"]!)),
  "POST /api/uploads": "a form: its reader is of HTTP, and the size of its file is the limit of Uploads.receive",
  "GET /api/uploads/{id}": ({ path }) => Effect.flatMap(Uploads, (one) => one.open(ACCOUNT, path["id"]!)),

  "GET /api/events": ({ header, query }) =>
    Effect.flatMap(LiveEvents, (one) =>
      one.open(ACCOUNT, header["last-event-id"], Effect.succeed(true), query["folders"]),
    ),
  "GET /api/settings/webhooks": ({ query }) => Effect.flatMap(WebhookEndpoints, (one) => one.page(OWNER, query)),
  "GET /api/settings/webhooks/event-types": ({ query }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.eventTypes(query)),
  "POST /api/settings/webhooks": ({ body, header }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.create(OWNER, body, creationKey(header))),
  "GET /api/settings/webhooks/{id}": ({ path }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.find(OWNER, path["id"]!)),
  "PATCH /api/settings/webhooks/{id}": ({ path, body }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.edit(OWNER, path["id"]!, body)),
  "DELETE /api/settings/webhooks/{id}": ({ path }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.remove(OWNER, path["id"]!)),
  "POST /api/settings/webhooks/{id}/enable": ({ path }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.enable(OWNER, path["id"]!)),
  "POST /api/settings/webhooks/{id}/disable": ({ path }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.disable(OWNER, path["id"]!)),
  "POST /api/settings/webhooks/{id}/test": ({ path, body }) =>
    Effect.flatMap(WebhookTrial, (one) => one.send(OWNER, path["id"]!, body.event)),
  "POST /api/settings/webhooks/{id}/rotate-secret": ({ path, body }) =>
    Effect.flatMap(WebhookEndpoints, (one) => one.rotateSecret(OWNER, path["id"]!, body.overlap)),
  "GET /api/settings/webhooks/{id}/deliveries": ({ path, query }) =>
    Effect.flatMap(WebhookDeliveries, (one) => one.page(OWNER, path["id"]!, query)),
  "POST /api/settings/webhooks/{id}/deliveries/{deliveryId}/resend": ({ path, header }) =>
    Effect.flatMap(WebhookDeliveries, (one) =>
      one.resend(OWNER, path["id"]!, path["deliveryId"]!, creationKey(header)),
    ),
  "POST /api/settings/webhooks/{id}/replay": ({ path, body, header }) =>
    Effect.flatMap(WebhookDeliveries, (one) => one.replay(OWNER, path["id"]!, body, creationKey(header))),

  "GET /api/changes": ({ query }) =>
    Effect.flatMap(LiveEvents, (one) => one.readFeed(query, Effect.succeed({ reach: null, application: "x" }))),
  "GET /api/audit": ({ query }) => Effect.flatMap(Audit, (one) => one.page(query, { key: null, account: null })),
  "GET /api/keys": ({ query }) => Effect.flatMap(Keys, (one) => one.page(query)),
  "POST /api/keys": ({ body, header }) =>
    Effect.gen(function* () {
      const request = yield* keyRequestOf(body, yield* OpaqueIds, yield* Clock.currentTimeMillis);
      return yield* (yield* Keys).make(request, creationKey(header));
    }),
  "PATCH /api/keys/{id}": ({ path, body }) =>
    Effect.gen(function* () {
      const changes = yield* keyChangesOf(body, yield* OpaqueIds);
      return yield* (yield* Keys).change(path["id"]!, changes);
    }),
  "DELETE /api/keys/{id}": ({ path, query }) => Effect.flatMap(Keys, (one) => one.remove(path["id"]!, query.mail)),
  "GET /api/applications": ({ query }) => Effect.flatMap(Keys, (one) => one.applications(query)),
  "PATCH /api/applications/{name}": ({ path, body }) =>
    Effect.flatMap(Keys, (one) => one.changeApplication(path["name"]!, body)),
  "POST /api/applications/{name}/suspend": ({ path }) => Effect.flatMap(Keys, (one) => one.suspend(path["name"]!)),
  "POST /api/applications/{name}/resume": ({ path }) => Effect.flatMap(Keys, (one) => one.resume(path["name"]!)),
  "DELETE /api/applications/{name}": ({ path, query }) =>
    Effect.flatMap(Keys, (one) => one.removeApplication(path["name"]!, query.mail)),
  "GET /api/grants": ({ query }) => Effect.flatMap(AgentGrants, (one) => one.page(ACCOUNT, query)),
  "PATCH /api/grants/{id}": ({ path, body }) =>
    Effect.flatMap(AgentGrants, (one) => one.change(ACCOUNT, path["id"]!, body)),
  "DELETE /api/grants/{id}": ({ path }) => Effect.flatMap(AgentGrants, (one) => one.end(ACCOUNT, path["id"]!)),
  "GET /api/oauth/clients": ({ query }) => Effect.flatMap(AssistantClients, (one) => one.page(query)),
  "POST /api/oauth/clients": ({ body, header }) =>
    Effect.flatMap(AssistantClients, (one) => one.make(body, creationKey(header))),
  "DELETE /api/oauth/clients/{id}": ({ path }) => Effect.flatMap(AssistantClients, (one) => one.remove(path["id"]!)),
  "GET /api/oauth/apps": ({ query }) => Effect.flatMap(Apps, (one) => one.page(query)),
  "POST /api/oauth/apps": ({ body, header }) => Effect.flatMap(Apps, (one) => one.keep(body, creationKey(header))),
  "DELETE /api/oauth/apps/{id}": ({ path }) => Effect.flatMap(Apps, (one) => one.remove(path["id"]!)),
};
