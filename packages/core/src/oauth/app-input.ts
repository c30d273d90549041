import { Option, Redacted, Schema } from "effect";
import { mailServerOf } from "../accounts/neighbours.ts";
import type { AccountServers } from "../mail/index.ts";
import { type FieldFault, hostNameOf } from "../shared/index.ts";
import { type AppSecret, OAUTH_MODES, OAUTH_PROVIDERS, type OAuthApp } from "./OAuthApp.ts";

const Text = Schema.String;
const Optional = Schema.optionalKey(Text);

const ServerInput = Schema.Struct({
  host: Text,
  port: Schema.Int,
  security: Schema.Literals(["tls", "starttls"]),
  username: Optional,
  certificateSha256: Optional,
});

/** An app in the form in which an operator writes it (spec 11.1). */
export const OAuthAppInput = Schema.Struct({
  id: Text,
  provider: Schema.Literals(OAUTH_PROVIDERS),
  label: Optional,
  issuer: Optional,
  tenant: Optional,
  clientId: Optional,
  clientSecret: Optional,
  privateKey: Optional,
  mode: Schema.optionalKey(Schema.Literals(OAUTH_MODES)),
  tokenUrl: Optional,
  scopes: Schema.optionalKey(Schema.Array(Text)),
  imap: Schema.optionalKey(ServerInput),
  smtp: Schema.optionalKey(ServerInput),
  domains: Schema.optionalKey(Schema.Array(Text)),
});
export type OAuthAppInput = typeof OAuthAppInput.Type;

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: { canParse(url: string): boolean };

const ID = /^[a-z0-9][a-z0-9_-]{0,62}$/i;
const TENANT = /^[\w.-]{1,253}$/;
const LABEL = /^[^\p{Cc}]{1,63}$/u;
const isAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

const RULES: ReadonlyArray<readonly [keyof OAuthAppInput, string, (input: OAuthAppInput) => boolean]> = [
  ["id", "must be 1 to 63 letters, digits, - or _", ({ id }) => ID.test(id)],
  ["label", "must be 1 to 63 characters", ({ label }) => label === undefined || LABEL.test(label.trim())],
  ["issuer", "must be an https address", ({ issuer }) => issuer === undefined || isAddress(issuer)],
  [
    "issuer",
    "is missing: oidc has no provider built in",
    (input) => input.provider !== "oidc" || isHook(input) || input.issuer !== undefined,
  ],
  ["tenant", "is for microsoft only", ({ provider, tenant }) => tenant === undefined || provider === "microsoft"],
  ["tenant", "must be a domain or the id of a tenant", ({ tenant }) => tenant === undefined || TENANT.test(tenant)],
  ["clientId", "is missing", (input) => isHook(input) || (input.clientId ?? "") !== ""],
  [
    "privateKey",
    "cannot be given beside clientSecret",
    (input) => input.clientSecret === undefined || input.privateKey === undefined,
  ],
  [
    "clientSecret",
    "or privateKey is missing: the app opens mailboxes with its own credentials",
    (input) => input.mode !== "application" || input.clientSecret !== undefined || input.privateKey !== undefined,
  ],
  ["tokenUrl", "is missing: mode hook asks it for tokens", (input) => !isHook(input) || input.tokenUrl !== undefined],
  ["tokenUrl", "is for mode hook only", (input) => isHook(input) || input.tokenUrl === undefined],
  ["tokenUrl", "must be an https address", ({ tokenUrl }) => tokenUrl === undefined || isAddress(tokenUrl)],
  ["imap", "and smtp are given together", ({ imap, smtp }) => (imap === undefined) === (smtp === undefined)],
  [
    "domains",
    "are missing: the app opens mailboxes without the consent of their users, so say of which domains",
    ({ mode, domains = [] }) => mode === undefined || mode === "delegated" || domains.length > 0,
  ],
  ["domains", "must be domains", ({ domains = [] }) => domains.every((domain) => Option.isSome(hostNameOf(domain)))],
];

const isHook = ({ mode }: OAuthAppInput): boolean => mode === "hook";

/** Returns the app from the operator's input, or the faults of its fields. */
export const appOf = (
  input: OAuthAppInput,
): { readonly app: OAuthApp } | { readonly faults: ReadonlyArray<FieldFault> } => {
  const faults = RULES.flatMap(([field, message, holds]) => (holds(input) ? [] : [{ field, message }]));
  if (faults.length > 0) return { faults };
  const { id, provider, label, issuer, tenant, clientId, mode, tokenUrl, scopes, imap, smtp, domains } = input;
  return {
    app: {
      id,
      provider,
      label: label?.trim() ?? null,
      issuer: issuer ?? null,
      tenant: tenant ?? null,
      clientId: clientId ?? "",
      secret: secretOf(input),
      mode: mode ?? "delegated",
      tokenUrl: tokenUrl ?? null,
      scopes: scopes ?? null,
      servers: serversOf(imap, smtp),
      domains: (domains ?? []).map((domain) => Option.getOrThrow(hostNameOf(domain))),
    },
  };
};

const secretOf = ({ clientSecret, privateKey }: OAuthAppInput): AppSecret => {
  if (clientSecret !== undefined) return { _tag: "ClientSecret", value: Redacted.make(clientSecret) };
  return privateKey === undefined ? { _tag: "None" } : { _tag: "PrivateKey", value: Redacted.make(privateKey) };
};

const serversOf = (imap: OAuthAppInput["imap"], smtp: OAuthAppInput["smtp"]): AccountServers | null =>
  imap === undefined || smtp === undefined ? null : { imap: mailServerOf(imap), smtp: mailServerOf(smtp) };
