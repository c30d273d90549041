import type { OAuthApp } from "@postern/core/oauth";

/** The differences between providers (spec 11.1). */
export interface ProviderFacts {
  /** The URL under which the provider publishes its metadata. */
  readonly issuer: string;
  /** Returns whether the issuer in the metadata is this provider. */
  readonly isIssuer: (named: string) => boolean;
  /** The scopes of a user's consent. */
  readonly scopes: ReadonlyArray<string>;
  /** The scopes of a token for the app's own credentials. */
  readonly applicationScopes: ReadonlyArray<string>;
  /** Parameters that are added to the authorization request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the client secret is sent in the body, where no character needs a second encoding. */
  readonly secretInBody: boolean;
  /** Whether the audience of a client assertion is the token endpoint, not the issuer. */
  readonly assertsToEndpoint: boolean;
  /** Returns the permanent identifier of the user of an identity token; undefined if the token names none. */
  readonly subjectOf: (claims: Readonly<Record<string, unknown>>) => string | undefined;
}

/** The placeholder in the issuer of Microsoft's metadata for more than one tenant. */
export const ANY_TENANT = "{tenantid}";

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Microsoft's clouds: the authorization host of each, and the resources of its mail servers. A token is for one
 * resource, so a consent requests IMAP and SMTP of the same resource.
 */
const MICROSOFT_CLOUDS = [
  {
    authority: "https://login.microsoftonline.com",
    delegated: "https://outlook.office.com",
    application: "https://outlook.office365.com",
  },
  {
    authority: "https://login.microsoftonline.us",
    delegated: "https://outlook.office365.us",
    application: "https://outlook.office365.us",
  },
  {
    authority: "https://login.partner.microsoftonline.cn",
    delegated: "https://partner.outlook.cn",
    application: "https://partner.outlook.cn",
  },
] as const;

const microsoft = ({ issuer, tenant }: OAuthApp): ProviderFacts => {
  const authority = (issuer ?? MICROSOFT_CLOUDS[0].authority).replace(/\/+$/, "");
  const cloud = MICROSOFT_CLOUDS.find((each) => each.authority === authority) ?? MICROSOFT_CLOUDS[0];
  const isTenant = (named: string) =>
    GUID.test(tenant ?? "")
      ? named.toLowerCase() === tenant?.toLowerCase()
      : GUID.test(named) || (named === ANY_TENANT && SEVERAL_TENANTS.has(tenant ?? "common"));
  return {
    issuer: `${authority}/${tenant ?? "common"}/v2.0`,
    isIssuer: (named) => {
      const [start, end] = [`${authority}/`, "/v2.0"];
      return named.startsWith(start) && named.endsWith(end) && isTenant(named.slice(start.length, -end.length));
    },
    scopes: [
      `${cloud.delegated}/IMAP.AccessAsUser.All`,
      `${cloud.delegated}/SMTP.Send`,
      "offline_access",
      "openid",
      "email",
      // The claim `oid` is issued only with this scope.
      "profile",
    ],
    applicationScopes: [`${cloud.application}/.default`],
    parameters: {},
    secretInBody: true,
    assertsToEndpoint: true,
    // `sub` differs for each app, so another app of the same operator would see another user.
    subjectOf: ({ tid, oid, sub }) => join(tid, oid ?? sub),
  };
};

const SEVERAL_TENANTS = new Set(["common", "organizations"]);

const google = ({ issuer }: OAuthApp): ProviderFacts => ({
  ...exactly(issuer ?? "https://accounts.google.com"),
  scopes: ["https://mail.google.com/", "openid", "email"],
  applicationScopes: ["https://mail.google.com/"],
  // Without these parameters a second consent issues no refresh token.
  parameters: { access_type: "offline", prompt: "consent" },
  secretInBody: true,
  assertsToEndpoint: false,
  subjectOf: ({ sub }) => join(sub),
});

const oidc = ({ issuer, scopes }: OAuthApp): ProviderFacts => ({
  ...exactly(issuer ?? ""),
  scopes: ["openid", "email", "offline_access"],
  applicationScopes: [],
  // This parameter is required for `offline_access` (OpenID Connect Core, 11).
  parameters: scopes === null || scopes.includes("offline_access") ? { prompt: "consent" } : {},
  secretInBody: false,
  assertsToEndpoint: false,
  subjectOf: ({ sub }) => join(sub),
});

const exactly = (issuer: string) => ({
  issuer,
  isIssuer: (named: string) => URL.canParse(named) && new URL(named).href === new URL(issuer).href,
});

const join = (...parts: ReadonlyArray<unknown>): string | undefined =>
  parts.every((part) => typeof part === "string" && part !== "") ? parts.join(".") : undefined;

const PROVIDERS = { google, microsoft, oidc } as const;

/** Returns the facts about an app's provider. The `issuer` of a `microsoft` app chooses another of its clouds. */
export const factsOf = (app: OAuthApp): ProviderFacts => PROVIDERS[app.provider](app);
