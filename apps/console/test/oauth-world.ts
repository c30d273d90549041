import { type OpenIdProvider, startMailHost, startOpenIdProvider } from "@postern/testkit";
import { ADMIN_KEY, startService } from "./service.ts";

/** Users with a mailbox. */
export const ANN = "ann@postern.test";
export const BOB = "bob@contoso.test";
export const CAT = "cat@postern.test";
/** A user of the providers who has no mailbox. */
export const DAN = "dan@postern.test";

const SETTINGS = {
  google: { scopes: ["mail", "openid", "email"] },
  microsoft: { scopes: ["mail", "offline_access", "openid", "email", "profile"], domains: ["contoso.test"] },
} as const;

/** A service on a real Dovecot, which takes the tokens of a provider like Google and of one like Microsoft. */
export const startOnProviders = async () => {
  const google = await startOpenIdProvider({ kind: "google" });
  const microsoft = await startOpenIdProvider({ kind: "microsoft" });
  /** Users whose access tokens the SMTP server no longer accepts. */
  const revoked = new Set<string>();
  const host = await startMailHost({
    accounts: [ANN, BOB, CAT],
    password: "unused",
    tokens: { key: google.publicKey },
    userOf: (token) => {
      const user = google.userOf(token) ?? microsoft.userOf(token);
      return user === undefined || revoked.has(user) ? undefined : user;
    },
  });
  const appOf = (kind: "google" | "microsoft", { issuer, client }: OpenIdProvider) => ({
    id: kind,
    provider: kind,
    issuer: kind === "microsoft" ? new URL(issuer).origin : issuer,
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    ...SETTINGS[kind],
  });
  const service = await startService({
    IMAP_URL: host.imapUrl,
    SMTP_URL: host.smtpUrl,
    ADMIN_KEY,
    MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
    OAUTH_APPS: JSON.stringify([appOf("google", google), appOf("microsoft", microsoft)]),
  });

  /** Returns the data of an answer to the operator. */
  const asOperator = async (method: string, path: string, json?: object): Promise<any> => {
    const answer = await fetch(`${service.base}${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const { data, ...problem } = (await answer.json()) as { readonly data?: unknown };
    if (!answer.ok) throw new Error(JSON.stringify(problem));
    return data;
  };

  return {
    base: service.base,
    google,
    microsoft,
    asOperator,
    /** Makes a connect link; returns its URL. */
    link: async (request: object): Promise<string> =>
      (await asOperator("POST", "/api/accounts/connect", { redirectUrl: `${service.base}/`, ...request })).url,
    /** Ends a user's consents and access tokens, as the user does at the provider. */
    revoke: (user: string) => {
      for (const provider of [google, microsoft]) provider.revoke(user);
      revoked.add(user);
    },
    /** Accepts the user's new tokens. */
    admit: (user: string) => void revoked.delete(user),
    stop: async (): Promise<void> => {
      await service.stop();
      await Promise.all([host.stop(), google.stop(), microsoft.stop()]);
    },
  };
};

export type ProviderWorld = Awaited<ReturnType<typeof startOnProviders>>;
