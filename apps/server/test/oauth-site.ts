import { Dovecot, openIdProvider, type OpenIdProvider, Postgres, ScriptedSmtp } from "@postern/testkit";
import { Context, Effect, Layer, type Scope } from "effect";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { sharedKeys } from "./server-nodes.ts";

/** The behaviour of a provider towards refresh tokens. */
export const ROTATIONS = ["strict", "lenient", "none"] as const;

export const DOMAIN = "tokens.test";

/** Providers, each the id of an app, whose access tokens open mailboxes at a Dovecot and an SMTP server. */
export interface OAuthSite {
  readonly providers: ReadonlyMap<string, OpenIdProvider>;
  readonly dovecot: Dovecot["Service"];
  readonly smtp: ScriptedSmtp["Service"];
  readonly database: string;
  /** The environment of nodes that use this site. */
  readonly environment: Readonly<Record<string, string>>;
}

const PROVIDERS = { strict: {}, lenient: {}, none: {} };

/** Starts a site, with a database on a private Postgres. */
export const startOAuthSite: Effect.Effect<OAuthSite, never, Scope.Scope> = Effect.gen(function* () {
  const providers = new Map<string, OpenIdProvider>();
  for (const id of Object.keys(PROVIDERS)) providers.set(id, yield* openIdProvider());
  // All providers of a process sign access tokens with one key.
  const key = providers.get("strict")!.publicKey;
  const userOf = (token: string) =>
    [...providers.values()].map((provider) => provider.userOf(token)).find((user) => user !== undefined);
  const built = yield* Layer.build(
    Layer.mergeAll(
      Dovecot.layer({ tokens: { key } }),
      ScriptedSmtp.layer({ extensions: ["SIZE 36700160", "8BITMIME", "AUTH PLAIN XOAUTH2"], userOf }),
      Postgres.own,
    ),
  );
  const [dovecot, smtp] = [Context.get(built, Dovecot), Context.get(built, ScriptedSmtp)];
  const database = yield* Context.get(built, Postgres).newDatabase;
  const apps = [...providers].map(([id, { issuer, client }]) => ({
    id,
    provider: "oidc",
    issuer,
    ...client,
    scopes: ["openid", "email", "mail", "offline_access"],
  }));
  return {
    providers,
    dovecot,
    smtp,
    database,
    environment: {
      ...(yield* Effect.promise(sharedKeys)),
      DATABASE_URL: database,
      ADMIN_KEY,
      ACCOUNT_SERVERS: "any",
      IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      IMAP_DOMAINS: DOMAIN,
      MAIL_ALLOWED_NETWORKS: "127.0.0.1/32",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
      OAUTH_APPS: JSON.stringify(apps),
      LOG_LEVEL: "warn",
    },
  };
});
