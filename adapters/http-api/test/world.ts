import { Blocks } from "@postern/core/arrivals";
import { Scope } from "@postern/api";
import { AgentGrants, AssistantClients, AssistantSignIn } from "@postern/core/assistants";
import { Audit } from "@postern/core/audit";
import { Approvals, Drafts } from "@postern/core/drafts";
import {
  AppNotFound,
  Apps,
  type ConnectLink,
  ConnectLinks,
  ConsentExpired,
  Consents,
  LinkExpired,
  type ListedApp,
} from "@postern/core/oauth";
import { AccountProtocolLog, Accounts, AccountStanding, Discovery, type ServerCandidate } from "@postern/core/accounts";
import { AccountId, Entropy, OpaqueIds } from "@postern/core/shared";
import { MailServerError } from "@postern/core/mail";
import {
  AccountSessions,
  Authentication,
  Fingerprints,
  KeyAuthentication,
  Keys,
  LoginRefused,
  PasswordRefusal,
  PasswordRefused,
  type ServiceKey,
  type Session,
  SessionTokens,
  TokenRejected,
  Tokens,
} from "@postern/core/auth";
import { FolderManagement, Folders } from "@postern/core/folders";
import { Inbox, MessageActions, Messages, Search, Threads } from "@postern/core/messages";
import { Contacts, Identities, Invitations, MessageSender, OpenTracker, Outbox, Uploads } from "@postern/core/send";
import {
  EndpointNotFound,
  WebhookDeliveries,
  WebhookEndpoints,
  WebhookSettings,
  WebhookTrial,
} from "@postern/core/webhooks";
import {
  AccountChanges,
  AccountConnection,
  DeviceConnections,
  AccountCreation,
  AccountExport,
  AccountRemoval,
  LiveEvents,
  SignIn,
  Unsubscription,
} from "@postern/core/lifecycle";
import { type Guide, Readiness, Routes } from "@postern/http-api";
import { Effect, Layer, Logger, Option, Schema, Stream } from "effect";
import { HttpRouter, HttpServer } from "effect/http";

const session: Extract<Session, { kind: "cookie" }> = {
  id: "s1",
  account: AccountId("a@b.c"),
  kind: "cookie",
  createdAt: 0,
  lastUsedAt: 0,
  expiresAt: 1,
  absoluteExpiresAt: 1,
  client: { network: "127.0.0.1", userAgent: "test" },
  cookieHash: "hash",
};

const serviceKey: ServiceKey = {
  id: "k1",
  name: "test",
  application: "k1",
  scopes: Scope.literals,
  accounts: null,
  networks: null,
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  sendPerDay: null,
  notify: null,
};

/** Stubs of use cases for a test; by default they succeed with minimal results. */
const isPasswordRefusal = Schema.is(PasswordRefusal);

export interface Stubs {
  readonly folders?: Folders["Service"]["list"];
  readonly inbox?: Inbox["Service"]["list"];
  readonly create?: AccountCreation["Service"]["create"];
  readonly management?: Partial<FolderManagement["Service"]>;
  readonly send?: MessageSender["Service"]["send"];
  readonly hit?: OpenTracker["Service"]["recordHit"];
  readonly ready?: boolean;
  readonly unreachable?: ReadonlyArray<"imap" | "smtp">;
  /** Plain http on loopback by default. */
  readonly baseUrl?: string;
  readonly maxRequestsInFlight?: number;
  readonly guides?: ReadonlyArray<Guide>;
  readonly apps?: ReadonlyArray<ListedApp>;
  readonly connect?: AccountConnection["Service"]["byPassword"];
  /** A link to connect an account, and the servers that are found for an address. */
  readonly link?: ConnectLink;
  readonly found?: (account: AccountId) => ServerCandidate;
}

/** The routes over stubbed use cases, as a fetch handler; accepts the token `good`, the admin key `admin`, any service key and the password `right`. */
export const handlerOver = (stubs: Stubs = {}) => {
  const list = stubs.folders ?? (() => Effect.succeed([]));
  const UseCases = Layer.mergeAll(
    Layer.succeed(Authentication, {
      byAccessToken: (token) =>
        token === "good" ? Effect.succeed(session) : Effect.fail(new TokenRejected({ reason: "signature" })),
      byCookie: (cookie) =>
        cookie === "sweet" ? Effect.succeed(session) : Effect.fail(new TokenRejected({ reason: "session_ended" })),
      byHost: () => Effect.void,
      isLive: () => Effect.succeed(true),
    }),
    Layer.succeed(KeyAuthentication, {
      holderOf: (text) => {
        if (text === "admin") return Effect.succeedSome({ _tag: "Admin" });
        return Effect.succeed(
          text.startsWith("psk_") ? Option.some({ _tag: "Service", key: serviceKey }) : Option.none(),
        );
      },
      recheck: () => Effect.die("unused"),
      sweep: Effect.void,
    }),
    Layer.mock(Keys, { page: () => Effect.succeed({ items: [], nextCursor: null }) }),
    Layer.succeed(AccountCreation, { create: stubs.create ?? (() => Effect.die("unused")) }),
    Layer.succeed(AccountChanges, {
      change: () => Effect.die("unused"),
      verify: () => Effect.die("unused"),
      follow: () => Effect.die("unused"),
      showFollowing: () => Effect.die("unused"),
    }),
    Layer.succeed(Apps, {
      find: () => Effect.succeedNone,
      get: () => new AppNotFound(),
      ofSignIn: () => Effect.succeed({ items: (stubs.apps ?? []).map(({ app }) => app), nextCursor: null }),
      page: () => Effect.succeed({ items: stubs.apps ?? [], nextCursor: null }),
      list: Effect.succeed(stubs.apps ?? []),
      keep: () => Effect.die("unused"),
      remove: () => Effect.die("unused"),
    }),
    Layer.succeed(ConnectLinks, {
      askerOf: () => Effect.succeed({ name: "CRM", purpose: null, logo: null, colour: null, scopes: [] }),
      make: () => Effect.die("unused"),
      find: () => (stubs.link === undefined ? new LinkExpired() : Effect.succeed(stubs.link)),
      close: () => Effect.void,
    }),
    Layer.succeed(Consents, {
      redirectUri: "",
      begin: () => new AppNotFound(),
      take: () => new ConsentExpired(),
      finish: () => Effect.die("unused"),
    }),
    Layer.mock(AccountConnection, stubs.connect === undefined ? {} : { byPassword: stubs.connect }),
    Layer.succeed(DeviceConnections, { start: () => Effect.die("unused"), poll: () => Effect.die("unused") }),
    Layer.mock(Discovery, { of: (account) => Effect.sync(() => [stubs.found!(account)]) }),
    Layer.succeed(Accounts, {
      page: () => Effect.succeed({ accounts: [], nextCursor: null }),
      idOf: (named) => (named.includes("@") ? Option.some(AccountId(named)) : Option.none()),
      find: () => Effect.die("unused"),
      use: (named) => Effect.succeed(AccountId(named)),
      list: () => Effect.succeed([]),
      details: () => Effect.die("unused"),
    }),
    Layer.mock(AccountStanding, { checkNotPaused: () => Effect.void }),
    Layer.succeed(OpaqueIds, {
      accountId: () => "acc_1",
      account: () => Option.none(),
      folderId: () => "f_1",
      messageIds: () => [],
      messageRef: () => Option.none(),
    }),
    Layer.succeed(SignIn, {
      withPassword: (email) =>
        email === "down@b.c"
          ? Effect.fail(new MailServerError({ reason: "unreachable", operation: "login", detail: "refused" }))
          : email === "slow@b.c"
            ? Effect.fail(new MailServerError({ reason: "timeout", operation: "login", detail: "30 s" }))
            : email === "a@b.c"
              ? Effect.succeed({ token: "t", refreshToken: "r", expiresIn: 3600 })
              : isPasswordRefusal(email.split("@")[0])
                ? Effect.fail(new PasswordRefused({ reason: email.split("@")[0] as PasswordRefusal }))
                : Effect.fail(new LoginRefused()),
      forBrowser: () => Effect.succeed({ cookie: "sweet", session }),
      withGrant: () => Effect.die("unused"),
    }),
    Layer.succeed(SessionTokens, { start: () => Effect.die("unused"), exchange: () => Effect.die("unused") }),
    Layer.succeed(AccountSessions, {
      page: () => Effect.die("unused"),
      find: () => Effect.die("unused"),
      end: () => Effect.void,
      sweep: Effect.void,
    }),
    Layer.mock(LiveEvents, {}),
    Layer.succeed(AccountExport, { of: () => Stream.empty }),
    Layer.succeed(AccountRemoval, {
      remove: () => Effect.die("unused"),
      removeIf: () => Effect.die("unused"),
      finish: () => Effect.die("unused"),
      checkFinished: () => Effect.die("unused"),
      resume: Effect.void,
    }),
    Layer.succeed(Folders, {
      list,
      resolve: () => Effect.die("unused"),
      findStored: () => Effect.succeed(Option.none()),
      sync: () => Effect.die("unused"),
    }),
    Layer.succeed(FolderManagement, {
      list: () => Effect.succeed([]),
      create: () => Effect.die("unused"),
      change: () => Effect.die("unused"),
      remove: () => Effect.die("unused"),
      ...stubs.management,
    }),
    Layer.succeed(Inbox, {
      list: stubs.inbox ?? (() => Effect.die(new Error("secret of the inside"))),
      listAccount: () => Effect.die("unused"),
    }),
    Layer.succeed(MessageSender, {
      send: stubs.send ?? (() => Effect.die("unused")),
      limits: () =>
        Effect.succeed({
          maxMessageBytes: 1,
          maxAttachmentBytes: 2,
          maxAttachments: 3,
          maxRecipients: 4,
          perMinute: 5,
          perDay: 6,
        }),
    }),
    Layer.succeed(Outbox, {
      page: () => Effect.succeed({ items: [], nextCursor: null }),
      find: () => Effect.die("unused"),
      pageOfAll: () => Effect.succeed({ items: [], nextCursor: null }),
      changeAll: () => Effect.die("unused"),
      cancel: () => Effect.die("unused"),
      sendNow: () => Effect.die("unused"),
      release: () => Effect.die("unused"),
    }),
    Layer.succeed(WebhookEndpoints, {
      sweep: Effect.void,
      create: () => Effect.die("unused"),
      page: () => Effect.succeed({ items: [], nextCursor: null }),
      eventTypes: () => Effect.die("unused"),
      find: () => Effect.fail(new EndpointNotFound()),
      edit: () => Effect.die("unused"),
      remove: () => Effect.die("unused"),
      enable: () => Effect.die("unused"),
      disable: () => Effect.die("unused"),
      rotateSecret: () => Effect.die("unused"),
    }),
    Layer.mock(WebhookDeliveries, {}),
    Layer.succeed(WebhookSettings, { ladder: [1_000], baseUrl: "https://mail.example" }),
    Layer.succeed(WebhookTrial, { send: () => Effect.die("unused") }),
    Layer.succeed(AccountProtocolLog, {
      start: () => Effect.die("unused"),
      text: () => Effect.die("unused"),
      end: () => Effect.die("unused"),
      write: Effect.die("unused"),
      worker: {
        name: "unused",
        run: Effect.never,
        runDue: Effect.succeed(0),
        nextDue: Effect.succeedNone,
        stop: Effect.void,
        drain: () => Effect.void,
      },
    }),
    Layer.succeed(Audit, {
      trailOf: () => () => Effect.void,
      page: () => Effect.succeed({ items: [], nextCursor: null }),
      checkRoom: () => Effect.void,
      recordCall: () => Effect.void,
      callsBefore: () => Effect.succeed([]),
      worker: {
        name: "unused",
        run: Effect.never,
        runDue: Effect.succeed(0),
        nextDue: Effect.succeedNone,
        stop: Effect.void,
        drain: () => Effect.void,
      },
      forgetOld: () => Effect.die("unused"),
    }),
    Layer.succeed(Messages, {
      read: () => Effect.die("unused"),
      raw: () => Effect.die("unused"),
      attachment: () => Effect.die("unused"),
      attachmentText: () => Effect.die("unused"),
    }),
    Layer.succeed(MessageActions, {
      carryOut: () => Effect.die("unused"),
      change: () => Effect.die("unused"),
      remove: () => Effect.die("unused"),
      sweep: Effect.void,
    }),
    Layer.succeed(Search, {
      list: () => Effect.die("unused"),
      ids: () => Effect.die("unused"),
      labels: () => Effect.die("unused"),
    }),
    Layer.mock(Unsubscription, {}),
    Layer.mock(Blocks, {}),
    Layer.mock(Contacts, {}),
    Layer.mock(Invitations, {}),
    Layer.succeed(Threads, { list: () => Effect.die("unused") }),
    Layer.succeed(Drafts, {
      page: () => Effect.succeed({ items: [], nextCursor: null }),
      create: () => Effect.die("unused"),
      get: () => Effect.die("unused"),
      save: () => Effect.die("unused"),
      remove: () => Effect.die("unused"),
    }),
    Layer.succeed(Approvals, {
      send: (account, request, key, by) =>
        (stubs.send?.(account, request, key, by) ?? Effect.die("unused")).pipe(
          Effect.map((receipt) => ({ receipt })),
          Effect.catchTag("ApprovalNeeded", Effect.die),
        ),
      sendDraft: () => Effect.die("unused"),
      page: () => Effect.die("unused"),
      find: () => Effect.die("unused"),
      approve: () => Effect.die("unused"),
      deny: () => Effect.die("unused"),
    }),
    Layer.succeed(Identities, {
      page: () => Effect.succeed({ items: [], nextCursor: null }),
      create: () => Effect.die("unused"),
      change: () => Effect.die("unused"),
      remove: () => Effect.die("unused"),
      addressOfLink: () => Effect.succeedNone,
      verify: () => Effect.succeedNone,
      sender: () => Effect.die("unused"),
    }),
    Layer.mock(Uploads, {}),
    Layer.mock(AgentGrants, { holderOf: () => Effect.succeedNone, recheck: () => Effect.succeedNone }),
    Layer.mock(AssistantClients, {}),
    Layer.mock(AssistantSignIn, { issuer: "https://mail.example", resource: "https://mail.example/mcp" }),
    Layer.succeed(OpenTracker, { recordHit: stubs.hit ?? (() => Effect.void) }),
    Layer.succeed(Tokens, {
      issue: () => Effect.die("unused"),
      reissue: () => Effect.die("unused"),
      verify: () => Effect.die("unused"),
      publicKeys: { keys: [{ kty: "OKP", kid: "k1" }] },
    }),
    Layer.succeed(Fingerprints, {
      ofToken: () => "token",
      ofPassword: () => "password",
      ofAccount: (account) => `mark of ${account.length} letters`,
    }),
    Layer.succeed(Entropy, { id: () => Effect.succeed("made-here-0001") }),
    Layer.succeed(Readiness, {
      missingKeys: Effect.succeed([]),
      failing: Effect.succeed([]),
      isStopping: Effect.succeed(false),
      hasDatabase: Effect.succeed(stubs.ready ?? true),
      unreachable: Effect.succeed(stubs.unreachable ?? []),
      stopping: Effect.never,
    }),
  );
  const logs: Array<string> = [];
  const logger = Logger.make(({ message, cause }) => void logs.push(JSON.stringify(message) + String(cause)));
  const { handler, dispose } = HttpRouter.toWebHandler(
    Routes({
      baseUrl: new URL(stubs.baseUrl ?? "http://127.0.0.1:3000"),
      guides: stubs.guides ?? [],
      ...(stubs.maxRequestsInFlight === undefined ? {} : { maxRequestsInFlight: stubs.maxRequestsInFlight }),
    }).pipe(
      Layer.provide(UseCases),
      Layer.provide(HttpServer.layerServices),
      Layer.provideMerge(Logger.layer([logger])),
    ),
    { disableLogger: true },
  );
  const call = async (method: string, path: string, init: RequestInit & { token?: string; json?: unknown } = {}) => {
    const { token, json, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    if (json !== undefined) headers.set("content-type", "application/json");
    const request = new Request(`http://postern.test${path}`, {
      ...rest,
      method,
      headers,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const response = await handler(request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    return { status: response.status, headers: response.headers, bytes, text, json: () => JSON.parse(text) };
  };
  return { call, logs, dispose };
};
