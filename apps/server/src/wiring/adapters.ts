import { join } from "node:path";
import { createSecureContext, getCACertificates } from "node:tls";
import { AdminKeys } from "@postern/core/auth";
import { AssistantSettings } from "@postern/core/assistants";
import { type MailCredentials, oauth, OAuthSettings } from "@postern/core/oauth";
import { type MailTransport, SendSettings, type UploadContents } from "@postern/core/send";
import { PathPrefix } from "@postern/core/shared";
import { WebhookSettings } from "@postern/core/webhooks";
import {
  type AccountDirectory,
  AccountSettings,
  HostAdmission,
  type HostConnections,
  MailServersOfAccounts,
  ProtocolRecorderInProcess,
  ServerProbe,
} from "@postern/core/accounts";
import { ReadCacheSettings } from "@postern/core/messages";
import { layer as discoverySources } from "@postern/discovery";
import { layer as egress } from "@postern/egress";
import { layer as files } from "@postern/files";
import { prefixOf } from "@postern/http-api";
import { layer as jose } from "@postern/jose";
import { layer as mime } from "@postern/mime";
import { type KeyUnusable, layer as nodeCrypto, type SealingKey, SecretBox } from "@postern/node-crypto";
import { clientDocuments, layer as oauth2 } from "@postern/oauth";
import {
  type Database,
  type Persistence,
  postgres,
  type PostgresStartError,
  RecordCipher,
  serviceSecret,
  sqlite,
  type SqliteStartError,
  UploadContentsInSql,
} from "@postern/sql";
import { layer as webhookHttp } from "@postern/webhook-http";
import { Effect, Layer, Option } from "effect";
import type { Config } from "../settings/config.ts";
import { isShortOfMemory } from "./is-short-of-memory.ts";
import type { sandboxMail } from "./sandbox.ts";
import type { ServiceKeys } from "../settings/service-keys.ts";

/** The database and every store in it: PostgreSQL, or the embedded database in `DATA_DIR`. Secrets are stored sealed. */
export const database = ({
  storage,
  sealing,
}: ServiceKeys): Layer.Layer<Persistence | RecordCipher, SqliteStartError | PostgresStartError | KeyUnusable> => {
  const stores: Layer.Layer<Persistence, SqliteStartError | PostgresStartError, RecordCipher> =
    "url" in storage ? postgres(storage) : sqlite(storage);
  return Layer.provideMerge(stores, cipher(sealing));
};

const cipher = (keys: ReadonlyArray<SealingKey>) =>
  Layer.effect(RecordCipher, SecretBox).pipe(Layer.provide(SecretBox.layer({ keys })));

/**
 * The identifiers. Message and folder ids are valid as long as the key from which they are derived, so this key is
 * stored with the data.
 */
const identifiers = Layer.unwrap(
  Effect.map(serviceSecret("opaque-ids", crypto.getRandomValues(new Uint8Array(32))), (idKey) => nodeCrypto({ idKey })),
);

/** Returns the adapters in production; the harness has the same list with fakes. */
export const adapters = (config: Config, keys: ServiceKeys) => {
  const hosts = HostAdmission.layer(config.accounts.hostConnections);
  return Layer.mergeAll(
    mail(config, hosts),
    uploads(config),
    composer,
    mime({ workerUrl: config.workerUrl }),
    sendSettings(config),
    accountSettings(config),
    Layer.succeed(ReadCacheSettings, { bytes: config.readCacheBytes, isShort: isShortOfMemory }),
    hosts,
    webhookSettings(config),
    webhooks(config),
    assistantDocuments(config),
    Layer.succeed(AssistantSettings, { mayRegister: config.dynamicRegistration }),
    jose({ issuer: config.jwtIssuer, keys: keys.signing }),
    identifiers,
    Layer.succeed(PathPrefix, prefixOf(config.baseUrl)),
    Layer.succeed(AdminKeys, config.adminKeys),
  ).pipe(
    Layer.provideMerge(Layer.provide(oauth.layer, identifiers)),
    Layer.provideMerge(Layer.provide(ProtocolRecorderInProcess, identifiers)),
    Layer.provideMerge(Layer.merge(authorizationServer(config), oauthSettings(config))),
    Layer.provideMerge(database(keys)),
  );
};

/** Returns the store of uploads. Processes that share a database store uploads where all of them can read them. */
const uploads = ({ databaseUrl, dataDir }: Config): Layer.Layer<UploadContents, never, Database> =>
  Option.isSome(databaseUrl) ? UploadContentsInSql : files({ folder: join(dataDir, "uploads") });

/** Returns the beginning of every link to the service. */
export const addressOf = (baseUrl: URL): string => baseUrl.origin + prefixOf(baseUrl);

const sendSettings = ({ sendRates, sendRetries, senderPolicy, senderAliases, webhooks, baseUrl }: Config) =>
  Layer.succeed(SendSettings, {
    rates: sendRates,
    retries: sendRetries,
    policy: senderPolicy,
    aliases: senderAliases,
    noticesFrom: Option.getOrNull(webhooks.notifyFrom),
    baseUrl: addressOf(baseUrl),
  });

const webhooks = ({ webhooks: { timeout, allowedNetworks } }: Config) =>
  Layer.provide(webhookHttp({ timeout, allowHttp: allowedNetworks.length > 0 }), egress({ allowedNetworks }));

/**
 * Returns the reader of the documents of assistants. Strangers choose their URLs, as those of webhook endpoints, so the
 * same networks are exempted.
 */
const assistantDocuments = ({ webhooks: { allowedNetworks }, mailAuthorities }: Config) =>
  Layer.provide(clientDocuments({ tlsOptions: tlsTrusting(mailAuthorities) }), egress({ allowedNetworks }));

const webhookSettings = ({ webhooks, baseUrl }: Config) =>
  Layer.succeed(WebhookSettings, { ladder: webhooks.retryDelays, baseUrl: addressOf(baseUrl) });

/**
 * The SMTP adapter, which is loaded only when the service is built; the modules loaded this way are a third of the
 * program.
 */
const smtpAdapter = Effect.promise(() => import("@postern/smtp"));
const sandbox = Effect.promise(() => import("./sandbox.ts"));

const composer = Layer.unwrap(
  Effect.map(smtpAdapter, ({ MessageComposerByNodemailer }) => MessageComposerByNodemailer),
);

/** Returns one TLS context for all connections, because reading the public certificates takes milliseconds. */
const tlsTrusting = Option.match({
  onNone: () => ({}),
  onSome: (authorities: string) => ({
    secureContext: createSecureContext({ ca: [...getCACertificates("default"), authorities] }),
  }),
});

/** Returns the transport, which sends notices through a separate server if one is configured. */
export const withNoticesApart = <R>(
  { mailAuthorities, webhooks }: Config,
  transport: Layer.Layer<MailTransport, never, R>,
): Layer.Layer<MailTransport, never, R> =>
  Option.match(webhooks.notify, {
    onNone: () => transport,
    onSome: (server) =>
      Layer.unwrap(
        Effect.map(smtpAdapter, ({ withNotices }) =>
          Layer.provide(withNotices({ ...server, tlsOptions: tlsTrusting(mailAuthorities) }), transport),
        ),
      ),
  });

/** The guard for accounts' own mail servers (spec 10.4). */
const mailEgress = ({ mailAllowedNetworks }: Config) =>
  egress({ allowedNetworks: mailAllowedNetworks, ports: [143, 465, 587, 993] });

/** Returns the discovery, which is used only for domains whose servers are not known otherwise. */
const discovery = ({ accounts, mailAllowedNetworks }: Config) =>
  Layer.provide(
    discoverySources(Option.match(accounts.ispdbUrl, { onNone: () => ({}), onSome: (ispdbUrl) => ({ ispdbUrl }) })),
    egress({ allowedNetworks: mailAllowedNetworks }),
  );

/**
 * Returns the authorization servers. The operator names the OAuth2 providers, but their documents name further hosts,
 * so a guard is needed.
 */
const authorizationServer = ({ mailAllowedNetworks, mailAuthorities }: Config) =>
  Layer.provide(
    oauth2({ timeout: "15 seconds", tlsOptions: tlsTrusting(mailAuthorities) }),
    egress({ allowedNetworks: mailAllowedNetworks }),
  );

const oauthSettings = ({ oauthApps, baseUrl, operatorName }: Config) =>
  Layer.succeed(OAuthSettings, { apps: oauthApps, baseUrl: addressOf(baseUrl), operatorName });

/** Returns the settings for the servers of accounts. In the sandbox, its own servers serve every address. */
const accountSettings = (config: Config) => {
  const { mode, servers, domains, signInDomains, follow, backfillRate } = config.accounts;
  return config.sandbox
    ? Layer.effect(
        AccountSettings,
        Effect.map(sandbox, ({ SANDBOX }) => ({ ...SANDBOX, follow, backfillRate })),
      )
    : Layer.succeed(AccountSettings, {
        mode,
        servers: Option.getOrNull(servers),
        domains,
        signInDomains,
        follow,
        backfillRate,
      });
};

/** Returns the mail servers: those of the sandbox, or real ones. Only one kind is loaded. */
const mail = (
  config: Config,
  hosts: Layer.Layer<HostAdmission, never, HostConnections>,
): Layer.Layer<Layer.Success<typeof sandboxMail>, never, MailCredentials | AccountDirectory | HostConnections> =>
  config.sandbox
    ? Layer.unwrap(Effect.map(sandbox, ({ sandboxMail }) => sandboxMail))
    : Layer.unwrap(
        Effect.gen(function* () {
          const imap = yield* Effect.promise(() => import("@postern/imap"));
          const smtp = yield* smtpAdapter;
          const tlsOptions = tlsTrusting(config.mailAuthorities);
          const probe = Effect.all({
            imap: imap.probeImap({ tlsOptions }),
            smtp: smtp.probeSmtp({ tlsOptions, requireAuth: config.smtpRequireAuth }),
          });
          return Layer.mergeAll(
            Layer.effect(ServerProbe, probe),
            discovery(config),
            imap.layer({ tlsOptions, connectionsPerAccount: config.imapConnectionsPerAccount }),
            withNoticesApart(config, smtp.layer({ tlsOptions, requireAuth: config.smtpRequireAuth })),
          ).pipe(
            Layer.provide([MailServersOfAccounts, mailEgress(config), hosts]),
            Layer.provide(accountSettings(config)),
          );
        }),
      );
