import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { signJwt } from "./jwt.ts";
import type { ProviderBehaviour, ProviderKind, Rotation } from "./provider-options.ts";

/** A user's consent to a client, with its refresh tokens. */
export interface Consent {
  readonly user: string;
  readonly scopes: ReadonlyArray<string>;
  current: string | undefined;
  isEnded: boolean;
}

interface Code extends Pick<Consent, "user" | "scopes"> {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string | undefined;
  readonly isOffline: boolean;
}

interface Device extends Pick<Consent, "scopes"> {
  readonly userCode: string;
  decision: { readonly user: string } | "denied" | "expired" | undefined;
}

/** A request at the token endpoint and its status. */
export interface TokenRequest {
  readonly grant: string;
  readonly parameters: URLSearchParams;
  readonly authorization: string | undefined;
  readonly status: number;
  /** The user of the refresh token; null if the provider does not know the token. */
  readonly user: string | null;
  /** The time of the request in epoch milliseconds. */
  readonly at: number;
  /** The time at which a waiting client got the answer; null before, and if the client had disconnected. */
  answeredAt: number | null;
}

/** The tenant of every user of an imitated Microsoft. */
export const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";

/** The keys of all providers of a process, because making a key takes a tenth of a second. */
const KEYS = { published: newKeyOnce(), unpublished: newKeyOnce() };

function newKeyOnce() {
  let pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;
  return () => (pair ??= generateKeyPairSync("rsa", { modulusLength: 2048 }));
}

/** The state of a provider: its keys, consents, codes and issued tokens. */
export class ProviderState {
  issuer = "";
  behaviour: ProviderBehaviour = {};
  readonly codes = new Map<string, Code>();
  readonly devices = new Map<string, Device>();
  readonly consents = new Map<string, Consent>();
  readonly requests: Array<TokenRequest> = [];
  /** Every code, token and secret so far. */
  readonly secrets: Array<string> = [];
  readonly publicKey: KeyObject;
  readonly kind: ProviderKind;
  readonly #accessTokens = new Map<string, { readonly user: string; readonly expiresAt: number }>();

  constructor(kind: ProviderKind) {
    this.kind = kind;
    this.publicKey = KEYS.published().publicKey;
  }

  get rotation(): Rotation {
    const { rotation } = this.behaviour;
    return rotation ?? ({ oidc: "strict", google: "none", microsoft: "lenient" } as const)[this.kind];
  }

  get lifetime(): number {
    return this.behaviour.lifetime ?? 3600;
  }

  secret(prefix: string): string {
    const text = `${prefix}-${randomBytes(24).toString("hex")}`;
    this.secrets.push(text);
    return text;
  }

  /** Returns an access token as a JWT, which a mail server can check without the provider. */
  accessToken(user: string, scopes: ReadonlyArray<string>): string {
    const now = seconds();
    const claims = { iss: this.issuer, sub: user, email: user, aud: "mail", scope: scopes.join(" "), nbf: now - 5 };
    const jti = randomBytes(8).toString("hex");
    const token = signJwt(
      { ...claims, jti, iat: now, exp: now + this.lifetime },
      KEYS.published().privateKey,
      "default",
    );
    this.#accessTokens.set(token, { user, expiresAt: now + this.lifetime });
    this.secrets.push(token.split(".")[2]!);
    return token;
  }

  /** Returns the user of an access token that is valid now. */
  userOf(token: string): string | undefined {
    const known = this.#accessTokens.get(token);
    return known !== undefined && known.expiresAt > seconds() ? known.user : undefined;
  }

  identityToken(user: string, clientId: string, scopes: ReadonlyArray<string>, nonce: string | undefined): string {
    const now = seconds();
    const own =
      this.kind === "microsoft"
        ? {
            iss: this.issuer.replace(/\/[^/]+\/v2\.0$/, `/${TENANT}/v2.0`),
            tid: TENANT,
            sub: `pairwise-${user}`,
            ...(scopes.includes("profile") ? { oid: objectId(user), preferred_username: user } : {}),
          }
        : { iss: this.issuer, sub: `sub-${user}` };
    const claims = { ...own, aud: clientId, email: user, iat: now, exp: now + 3600, nonce, ...this.behaviour.claims };
    const pair = this.behaviour.isForged === true ? KEYS.unpublished : KEYS.published;
    return signJwt(claims, pair().privateKey, "default");
  }

  /** Stores a consent, and returns its first refresh token. */
  consent(user: string, scopes: ReadonlyArray<string>): string {
    const refreshToken = this.secret("rt");
    this.consents.set(refreshToken, { user, scopes, current: refreshToken, isEnded: false });
    return refreshToken;
  }

  /** Ends every consent of a user. */
  revoke(user: string): void {
    for (const consent of this.consents.values()) if (consent.user === user) consent.isEnded = true;
  }
}

const seconds = (): number => Math.floor(Date.now() / 1000);

const objectId = (user: string): string =>
  createHash("sha256")
    .update(user)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
