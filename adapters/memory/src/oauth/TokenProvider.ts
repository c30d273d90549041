import { scramble } from "../store/scramble.ts";

/** The behaviour of a provider until a test changes it. */
export interface ProviderConduct {
  /**
   * What a refresh does to the presented token. `strict`: a refresh token is valid once, and presenting it again ends
   * the consent. `lenient`: it stays valid and gets a successor. `none`: it stays valid without a successor.
   */
  readonly rotation?: "strict" | "lenient" | "none";
  /** The lifetime of an access token in seconds; 3600 by default. */
  readonly lifetime?: number;
  /** The refusal that every token request gets. */
  readonly refusal?: TokenRefusal;
  /** Whether the provider does not answer. */
  readonly isDown?: boolean;
}

/** The body of a refusal (RFC 6749, 5.2). */
export interface TokenRefusal {
  readonly error: string;
  readonly error_description?: string;
}

/** The answer to a token request. */
export interface GrantedTokens {
  readonly user: string;
  readonly accessToken: string;
  readonly lifetime: number;
  readonly refreshToken: string | null;
  readonly nonce: string | null;
}

type Decision = { readonly user: string } | "denied" | "expired";

interface Consent {
  readonly user: string;
  current: string;
  isEnded: boolean;
}

interface Code {
  readonly user: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
}

interface Device {
  readonly userCode: string;
  decision: Decision | undefined;
  /** Whether the next poll is told to slow down (RFC 8628, 3.5). */
  isHurried: boolean;
}

const REVOKED: TokenRefusal = { error: "invalid_grant" };

/** A provider of tokens without a network. `now` in epoch milliseconds. */
export class TokenProvider {
  readonly issuer: string;
  conduct: ProviderConduct = {};
  /** The number of token requests so far, including refused requests. */
  requests = 0;
  readonly #clients = new Map<string, string | null>();
  readonly #codes = new Map<string, Code>();
  readonly #consents = new Map<string, Consent>();
  readonly #devices = new Map<string, Device>();
  readonly #accessTokens = new Map<string, { readonly user: string; readonly expiresAt: number }>();
  #issued = 0;

  constructor(issuer = "https://provider.example") {
    this.issuer = issuer;
  }

  /** Registers a client; a public client has the secret null. */
  register(clientId: string, secret: string | null): void {
    this.#clients.set(clientId, secret);
  }

  /** Plays the browser at a consent URL: consents as a user, or denies for null. Returns the URL of the callback. */
  consent(url: string, user: string | null): string {
    const asked = new URL(url).searchParams;
    const value = (name: string) => asked.get(name) ?? "";
    const callback = new URL(value("redirect_uri"));
    callback.searchParams.set("state", value("state"));
    callback.searchParams.set("iss", this.issuer);
    if (user === null) {
      callback.searchParams.set("error", "access_denied");
      return callback.href;
    }
    const code = this.#secret("code");
    this.#codes.set(code, {
      user,
      redirectUri: value("redirect_uri"),
      challenge: value("code_challenge"),
      nonce: value("nonce"),
    });
    callback.searchParams.set("code", code);
    return callback.href;
  }

  /** Returns a refresh token for a consent that an application obtained without Postern. */
  refreshToken(user: string): string {
    return this.#begin(user);
  }

  /** Ends every consent of a user. */
  revoke(user: string): void {
    for (const consent of this.#consents.values()) if (consent.user === user) consent.isEnded = true;
  }

  /** Makes every access token that was issued so far invalid; refresh tokens stay. */
  endAccess(): void {
    this.#accessTokens.clear();
  }

  decideDevice(userCode: string, decision: Decision): void {
    for (const device of this.#devices.values()) if (device.userCode === userCode) device.decision = decision;
  }

  /** Answers the next poll of a device with the request to slow down. */
  slowDevice(userCode: string): void {
    for (const device of this.#devices.values()) if (device.userCode === userCode) device.isHurried = true;
  }

  /** Returns the user of an access token that is valid now. */
  userOf(accessToken: string, now: number): string | undefined {
    const known = this.#accessTokens.get(accessToken);
    return known !== undefined && known.expiresAt > now ? known.user : undefined;
  }

  /** Returns whether a refresh with this token succeeds, unless its client is refused. */
  accepts(refreshToken: string): boolean {
    const consent = this.#consents.get(refreshToken);
    const { rotation = "strict" } = this.conduct;
    return consent?.isEnded === false && (rotation !== "strict" || consent.current === refreshToken);
  }

  /** Returns the refusal that every request of this client gets. */
  refusal(clientId: string, secret: string | null): TokenRefusal | undefined {
    this.requests++;
    if (this.conduct.refusal !== undefined) return this.conduct.refusal;
    return this.#clients.get(clientId) === secret ? undefined : { error: "invalid_client" };
  }

  exchange(text: string, redirectUri: string, verifier: string, now: number): GrantedTokens | TokenRefusal {
    const code = this.#codes.get(text);
    this.#codes.delete(text);
    if (code === undefined || code.redirectUri !== redirectUri || code.challenge !== challengeOf(verifier)) {
      return REVOKED;
    }
    return { ...this.#tokens(code.user, now), refreshToken: this.#begin(code.user), nonce: code.nonce };
  }

  refresh(presented: string, now: number): GrantedTokens | TokenRefusal {
    const { rotation = "strict" } = this.conduct;
    const consent = this.#consents.get(presented);
    if (consent === undefined || consent.isEnded) return REVOKED;
    if (rotation === "none") return this.#tokens(consent.user, now);
    if (rotation === "strict" && consent.current !== presented) {
      consent.isEnded = true;
      return REVOKED;
    }
    consent.current = this.#secret("refresh");
    this.#consents.set(consent.current, consent);
    return { ...this.#tokens(consent.user, now), refreshToken: consent.current };
  }

  /** Issues an access token for this user to an app with its own credentials. */
  issue(user: string, now: number): GrantedTokens {
    return this.#tokens(user, now);
  }

  startDevice(): { readonly deviceCode: string; readonly userCode: string } {
    const deviceCode = this.#secret("device");
    const userCode = `CODE-${this.#devices.size + 1}`;
    this.#devices.set(deviceCode, { userCode, decision: undefined, isHurried: false });
    return { deviceCode, userCode };
  }

  pollDevice(deviceCode: string, now: number): GrantedTokens | TokenRefusal {
    const device = this.#devices.get(deviceCode);
    if (device === undefined) return REVOKED;
    const { decision, isHurried } = device;
    device.isHurried = false;
    if (isHurried) return { error: "slow_down" };
    if (decision === undefined) return { error: "authorization_pending" };
    if (decision === "denied") return { error: "access_denied" };
    if (decision === "expired") return { error: "expired_token" };
    return { ...this.#tokens(decision.user, now), refreshToken: this.#begin(decision.user) };
  }

  #begin(user: string): string {
    const refreshToken = this.#secret("refresh");
    this.#consents.set(refreshToken, { user, current: refreshToken, isEnded: false });
    return refreshToken;
  }

  #tokens(user: string, now: number): GrantedTokens {
    const { lifetime = 3600 } = this.conduct;
    const accessToken = this.#secret("access");
    this.#accessTokens.set(accessToken, { user, expiresAt: now + lifetime * 1_000 });
    return { user, accessToken, lifetime, refreshToken: null, nonce: null };
  }

  #secret(kind: string): string {
    return `${kind}-${++this.#issued}.${new URL(this.issuer).host}`;
  }
}

/** Returns a substitute for the SHA-256 of a verifier (RFC 7636, 4.2). */
export const challengeOf = (verifier: string): string => [...scramble(verifier)].join(".");
