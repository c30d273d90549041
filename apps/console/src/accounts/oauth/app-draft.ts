import { t } from "../../texts/text.ts";
import { entriesOf } from "../records/entries.ts";
import { draftsOf, isWhole, type ServerDrafts, serverOf } from "../servers/server-draft.ts";
import type { NewOAuthApp, OAuthApp } from "./oauth-apps.ts";

/** An OAuth2 app as it is typed. */
export interface AppDraft {
  readonly provider: OAuthApp["provider"];
  readonly id: string;
  readonly label: string;
  readonly mode: OAuthApp["mode"];
  readonly tenant: string;
  readonly issuer: string;
  /** The URL of a national cloud of Microsoft; "" for the global cloud. */
  readonly cloud: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly authentication: OAuthApp["authentication"];
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly scopes: string;
  readonly domains: string;
  readonly hasServers: boolean;
  readonly servers: ServerDrafts;
}

export const EMPTY: AppDraft = {
  provider: "google",
  id: "google",
  label: "",
  mode: "delegated",
  tenant: "",
  issuer: "",
  cloud: "",
  tokenUrl: "",
  clientId: "",
  authentication: "client_secret",
  clientSecret: "",
  privateKey: "",
  scopes: "",
  domains: "",
  hasServers: false,
  servers: draftsOf(),
};

const SUGGESTED = { google: "google", microsoft: "microsoft", oidc: "" };

/** Returns the draft with another provider, and with its usual id unless the operator typed another id. */
export const withProvider = (draft: AppDraft, provider: AppDraft["provider"]): AppDraft => ({
  ...draft,
  provider,
  id: draft.id === SUGGESTED[draft.provider] ? SUGGESTED[provider] : draft.id,
});

/** Returns the draft with another mode, and a client authentication that the mode allows. */
export const withMode = (draft: AppDraft, mode: AppDraft["mode"]): AppDraft => ({
  ...draft,
  mode,
  authentication: mode === "delegated" || draft.authentication !== "none" ? draft.authentication : EMPTY.authentication,
});

/** Returns the fault of each missing field. */
export const missingOf = (draft: AppDraft): Readonly<Record<string, string>> => {
  const { mode, authentication } = draft;
  const isHook = mode === "hook";
  const rules: ReadonlyArray<readonly [string, boolean, string]> = [
    ["id", draft.id.trim() === "", t("Enter an id, such as the name of the organisation.")],
    ["issuer", draft.provider === "oidc" && !isHook && draft.issuer.trim() === "", t("Enter the issuer.")],
    ["tokenUrl", isHook && draft.tokenUrl.trim() === "", t("Enter the address of the token service.")],
    ["clientId", !isHook && draft.clientId.trim() === "", t("Enter the client id.")],
    [
      "clientSecret",
      !isHook && authentication === "client_secret" && draft.clientSecret.trim() === "",
      t("Enter the client secret."),
    ],
    [
      "domains",
      mode !== "delegated" && entriesOf(draft.domains).length === 0,
      t("Enter the domains whose mailboxes the app may open."),
    ],
    ["privateKey", !isHook && authentication === "private_key" && draft.privateKey.trim() === "", t("Enter the key.")],
  ];
  return Object.fromEntries(rules.flatMap(([field, isMissing, fault]) => (isMissing ? [[field, fault]] : [])));
};

export const isWholeDraft = (draft: AppDraft): boolean =>
  Object.keys(missingOf(draft)).length === 0 &&
  (!draft.hasServers || (isWhole(draft.servers.imap) && isWhole(draft.servers.smtp)));

const fieldIfTyped = <K extends string>(field: K, text: string): Partial<Record<K, string>> =>
  text.trim() === "" ? {} : ({ [field]: text.trim() } as Record<K, string>);

/** Returns the app of a draft for a request, without the fields that its provider or mode does not use. */
export const appOf = (draft: AppDraft): NewOAuthApp => {
  const { provider, mode, authentication, hasServers, servers } = draft;
  const scopes = draft.scopes.split(/[\s,]+/).filter((scope) => scope !== "");
  const domains = entriesOf(draft.domains);
  const client =
    mode === "hook"
      ? fieldIfTyped("tokenUrl", draft.tokenUrl)
      : {
          ...fieldIfTyped("clientId", draft.clientId),
          ...(provider === "microsoft"
            ? { ...fieldIfTyped("tenant", draft.tenant), ...fieldIfTyped("issuer", draft.cloud) }
            : {}),
          ...(provider === "oidc" ? fieldIfTyped("issuer", draft.issuer) : {}),
          ...(authentication === "client_secret" ? fieldIfTyped("clientSecret", draft.clientSecret) : {}),
          ...(authentication === "private_key" ? fieldIfTyped("privateKey", draft.privateKey) : {}),
          ...(scopes.length === 0 ? {} : { scopes }),
        };
  return {
    id: draft.id.trim(),
    provider,
    mode,
    ...fieldIfTyped("label", draft.label),
    ...client,
    ...(domains.length === 0 ? {} : { domains }),
    ...(hasServers ? { imap: serverOf(servers.imap), smtp: serverOf(servers.smtp) } : {}),
  };
};
