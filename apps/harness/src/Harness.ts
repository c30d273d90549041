import { sweeps, UseCases, workers } from "@postern/core";
import { AccountSettings, HostAdmission } from "@postern/core/accounts";
import { type AccountId, RETRY_LADDER } from "@postern/core/shared";
import { EventLedger } from "@postern/core/events";
import { AdminKeys, type Authentication, CredentialVault } from "@postern/core/auth";
import { oauth, OAuthSettings } from "@postern/core/oauth";
import { MAIL_RETRIES, OutgoingJournal, SendSettings } from "@postern/core/send";
import { WebhookSettings } from "@postern/core/webhooks";
import { Readiness, Routes } from "@postern/http-api";
import { generateSigningKey, layer as jose } from "@postern/jose";
import {
  DraftsFolderInMemory,
  AuthorizationServerInMemory,
  ClientDocumentsInMemory,
  DocumentsInMemory,
  EndpointPolicyInMemory,
  MailInMemory,
  mailProvidersInMemory,
  type MailServerInMemory,
  MailTransportInMemory,
  MailWorld,
  ProviderInMemory,
  ReceiversInMemory,
  SentFolderInMemory,
  SmtpInMemory,
  StoresInMemory,
  UploadContentsInMemory,
  UploadsInMemory,
  webhookSenderInMemory,
} from "@postern/memory";
import { layerInProcess as mime } from "@postern/mime";
import { layer as nodeCrypto } from "@postern/node-crypto";
import { demoHome, demoMail } from "@postern/sandbox";
import { MessageComposerByNodemailer } from "@postern/smtp";
import { Clock, Context, Duration, Effect, Fiber, Layer, Option, Redacted, References, type Scope } from "effect";
import { HttpEffect, HttpRouter, HttpServer, type HttpServerRequest } from "effect/http";
import { TestClock } from "effect/testing";

/** The service in memory, on a virtual clock that only `pass` advances. */
export interface Harness {
  /** Answers a request like the service. */
  readonly request: (request: Request) => Effect.Effect<Response>;
  /** Returns the virtual time in epoch milliseconds. */
  readonly now: () => number;
  /** Advances the virtual time and runs the work that falls due. */
  readonly pass: (duration: Duration.Input) => Effect.Effect<void>;
  /** The mail server; a test changes it like another mail client. */
  readonly mail: MailServerInMemory;
  /** The OAuth2 provider of every app, whose access tokens open the mailboxes of their users. */
  readonly provider: ProviderInMemory["Service"];
  /** The documents that clients of assistants publish, by URL. */
  readonly documents: DocumentsInMemory["Service"];
  /** The SMTP server; a test makes it refuse or fail. */
  readonly smtp: SmtpInMemory["Service"];
  /** The webhook receivers, by URL. */
  readonly receivers: ReceiversInMemory["Service"];
  /** The events that were published. */
  readonly events: EventLedger["Service"];
  /** The outgoing messages. */
  readonly journal: OutgoingJournal["Service"];
  /** The number of uploads with stored contents. */
  readonly uploads: Effect.Effect<number>;
  /** Runs the sweeps, which the server runs at start and once an hour. */
  readonly sweep: Effect.Effect<void>;
  /** Runs use cases directly, like a program that embeds the core. */
  readonly inCore: <A, E>(
    useCase: Effect.Effect<A, E, Layer.Success<typeof UseCases> | HarnessAdapters>,
  ) => Effect.Effect<A, E>;
  /** Returns whether the vault has a credential of an account. */
  readonly hasCredential: (account: AccountId) => Effect.Effect<boolean>;
}

/** The virtual time at the start, 2026-01-01T00:00:00Z, in epoch milliseconds. */
export const HARNESS_START = Date.UTC(2026, 0, 1);

/** The base URL of requests to the harness; no server listens there. */
export const HARNESS_URL = new URL("http://127.0.0.1:3000");

/** The admin key of the harness. */
export const HARNESS_ADMIN_KEY = "harness-admin-key-of-40-characters-00001";

const Stores = Layer.merge(StoresInMemory, UploadContentsInMemory);

const Settings = Layer.mergeAll(
  Layer.succeed(AccountSettings, {
    mode: "fixed",
    servers: { imap: { ...demoHome.imap, origin: "operator" }, smtp: { ...demoHome.smtp, origin: "operator" } },
    domains: [],
    signInDomains: [],
  }),
  Layer.succeed(WebhookSettings, { ladder: RETRY_LADDER, baseUrl: HARNESS_URL.origin }),
  Layer.succeed(SendSettings, {
    retries: MAIL_RETRIES,
    rates: { perMinute: 60, perDay: 1000 },
    policy: { blockedAddresses: new Set(["blocked@postern.test"]), blockedDomains: new Set<string>() },
    aliases: "verified",
    noticesFrom: null,
    baseUrl: HARNESS_URL.origin,
  }),
);

/** The stores of the service. */
export type HarnessStores = Layer.Success<typeof Stores>;

type HarnessAdapters = Layer.Success<ReturnType<typeof adaptersOver>>;

/** Returns the adapters in `apps/server/src/wiring/adapters.ts`, with fakes and a new signing key. */
const adaptersOver = (stores: Layer.Layer<HarnessStores>) =>
  Layer.mergeAll(
    MailInMemory,
    SentFolderInMemory,
    DraftsFolderInMemory,
    MailTransportInMemory,
    MessageComposerByNodemailer,
    mime,
    Settings,
    webhookSenderInMemory(),
    EndpointPolicyInMemory,
    mailProvidersInMemory([demoHome]),
    HostAdmission.unlimited,
    Layer.unwrap(Effect.map(generateSigningKey("h1"), (key) => jose({ issuer: "harness", keys: [key] }))),
    nodeCrypto({ idKey: new Uint8Array(32) }),
    Layer.succeed(AdminKeys, [Redacted.make(HARNESS_ADMIN_KEY)]),
  ).pipe(
    Layer.provideMerge(Layer.provide(oauth.layer, nodeCrypto({ idKey: new Uint8Array(32) }))),
    Layer.provideMerge(Layer.provideMerge(AuthorizationServerInMemory, ProviderInMemory.layer)),
    Layer.provideMerge(Layer.provideMerge(ClientDocumentsInMemory, DocumentsInMemory.layer)),
    Layer.provideMerge(
      Layer.succeed(OAuthSettings, { apps: [], baseUrl: HARNESS_URL.origin, operatorName: "Example Operations" }),
    ),
    Layer.provideMerge(stores),
    Layer.provideMerge(Layer.mergeAll(MailWorld.layer(demoMail), SmtpInMemory.layer, ReceiversInMemory.layer)),
    Layer.orDie,
  );

/** The adapters of the harness, over stores in memory. */
export const adaptersInMemory = adaptersOver(Stores);

const Ready = Layer.succeed(Readiness, {
  failing: Effect.succeed([]),
  missingKeys: Effect.succeed([]),
  isStopping: Effect.succeed(false),
  hasDatabase: Effect.succeed(true),
  unreachable: Effect.succeed([]),
  stopping: Effect.never,
});

/**
 * Builds the whole service over fakes and these stores, with the sandbox's demo accounts, at `HARNESS_START`. An
 * `authority` authenticates requests instead of the stored sessions.
 */
export const harnessWithStores = Effect.fnUntraced(function* (
  stores: Layer.Layer<HarnessStores>,
  authority: Layer.Layer<Authentication> | Layer.Layer<never> = Layer.empty,
): Effect.fn.Return<Harness, never, Scope.Scope> {
  const time = yield* Layer.build(TestClock.layer());
  return yield* Effect.gen(function* () {
    const clock = (yield* Clock.Clock) as TestClock.TestClock;
    yield* clock.setTime(HARNESS_START);
    const adapters = yield* Layer.build(adaptersOver(stores));
    const useCases = yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(adapters)));
    const journal = Context.get(adapters, OutgoingJournal);
    const all = yield* Effect.provideContext(workers, Context.merge(adapters, useCases));
    // Workers begin due work at once, as in the server.
    for (const { run } of all) yield* Effect.forkScoped(run);
    const nextDue = Effect.map(
      Effect.forEach(all, ({ nextDue }) => Effect.orDie(nextDue)),
      (times) => Math.min(...times.map(Option.getOrElse(() => Infinity))),
    );

    const smtp = Context.get(adapters, SmtpInMemory);
    const [mail, provider] = [Context.get(adapters, MailWorld), Context.get(adapters, ProviderInMemory)];
    mail.opens = (account, token) => provider.userOf(token, clock.currentTimeMillisUnsafe()) === account;

    /** Runs due work until `end`; attempts whose SMTP answer comes later continue in the background. */
    const doDue = Effect.fnUntraced(function* (end: number) {
      const step = yield* Effect.forkChild(Effect.forEach(all, ({ runDue }) => Effect.orDie(runDue)));
      for (;;) {
        const done = yield* Effect.raceFirst(
          Effect.map(Fiber.join(step), (claimed) => ({ claimed })),
          Effect.map(smtp.nextAnswer, (answerAt) => ({ answerAt })),
        );
        if ("claimed" in done) return done.claimed.reduce((sum, some) => sum + some, 0);
        const now = yield* Clock.currentTimeMillis;
        if (now >= end) return yield* Effect.as(Fiber.interrupt(step), 0);
        yield* clock.adjust(Math.max(1, Math.min(done.answerAt, end) - now));
      }
    });

    /** Stops the clock while due work runs, unless the work waits for the SMTP server. */
    const pass = Effect.fnUntraced(
      function* (duration: Duration.Input) {
        const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(duration);
        for (;;) {
          const now = yield* Clock.currentTimeMillis;
          const due = yield* nextDue;
          yield* clock.adjust(Math.min(Math.max(due - now, 0), end - now));
          const claimed = yield* doDue(end);
          // All due work is done or waits for time to pass.
          if (due <= now && claimed === 0) {
            yield* clock.adjust(Math.min(1, Math.max(0, end - (yield* Clock.currentTimeMillis))));
          }
          if ((yield* Clock.currentTimeMillis) >= end) return;
        }
      },
      Effect.provideService(Clock.Clock, clock),
    );

    const app = yield* HttpRouter.toHttpEffect(
      Routes({ baseUrl: HARNESS_URL }).pipe(
        Layer.provide(authority),
        Layer.provide([Ready, Layer.succeedContext(useCases)]),
        Layer.provide([Layer.succeedContext(adapters), HttpServer.layerServices]),
      ),
    );
    const context = yield* Effect.context<never>();
    const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context)(app);
    return {
      request: (request: Request) => Effect.promise(() => handler(request)),
      pass,
      now: () => clock.currentTimeMillisUnsafe(),
      mail,
      provider,
      documents: Context.get(adapters, DocumentsInMemory),
      smtp,
      receivers: Context.get(adapters, ReceiversInMemory),
      events: Context.get(adapters, EventLedger),
      journal,
      uploads: Effect.map(Context.get(adapters, UploadsInMemory).ids, ({ length }) => length),
      sweep: Effect.flatMap(sweeps, (all) => Effect.all(all, { discard: true })).pipe(
        Effect.orDie,
        Effect.provideContext(Context.merge(adapters, useCases)),
        Effect.provideService(Clock.Clock, clock),
      ),
      inCore: <A, E>(useCase: Effect.Effect<A, E, Layer.Success<typeof UseCases> | HarnessAdapters>) =>
        Effect.provideService(Effect.provideContext(useCase, Context.merge(adapters, useCases)), Clock.Clock, clock),
      hasCredential: (account: AccountId) =>
        Effect.map(Effect.option(Context.get(adapters, CredentialVault).reveal(account)), Option.isSome),
    };
  }).pipe(Effect.provideContext(time), Effect.provideService(References.MinimumLogLevel, "Warn"));
});

/** The whole service in memory. */
export const harness: Effect.Effect<Harness, never, Scope.Scope> = harnessWithStores(Stores);

/** The whole service in memory, with an embedder's own authority to authenticate requests. */
export const harnessWithAuthority = (
  authority: Layer.Layer<Authentication>,
): Effect.Effect<Harness, never, Scope.Scope> => harnessWithStores(Stores, authority);
