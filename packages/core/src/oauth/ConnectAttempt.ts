import type { Redacted } from "effect";
import type { KeyReach } from "../auth/index.ts";
import type { AccountId } from "../shared/index.ts";

/** The connection that an application requested. */
export interface ConnectRequest {
  /** Null: the user enters it, or the provider reports it. */
  readonly address: string | null;
  /** The id of an app; null: found by the address. */
  readonly app: string | null;
  /** Null: the account's tags stay; a new account gets none. */
  readonly tags: ReadonlyArray<string> | null;
  /** The reach of the key that asked; null for the admin key. */
  readonly reach: KeyReach | null;
  /** The id of the service key that asked, with which the request ends; absent for the admin key. */
  readonly key?: string;
}

interface Attempt {
  /** The hash of the secret by which a browser or a client names it. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A URL that an application hands to one user, to connect one account (spec 11.3). */
export interface ConnectLink extends Attempt {
  readonly _tag: "Link";
  readonly request: ConnectRequest;
  readonly redirectUrl: string;
  /** Returned to the application with the result. */
  readonly state: string | null;
  /** The secret in its URL, so that a repeat of the request gets the same; absent if a repeat cannot be recognised. */
  readonly secret?: Redacted.Redacted;
}

/** A user was led to a provider, from one browser; `id` is the hash of `state`. */
export interface Consent extends Attempt {
  readonly _tag: "Consent";
  /** The hash of the secret in the browser's cookie. */
  readonly browser: string;
  readonly app: string;
  readonly nonce: string;
  readonly verifier: Redacted.Redacted;
  readonly address: string | null;
  /** The secret of the link; null for a sign-in. */
  readonly link: Redacted.Redacted | null;
  /** Where the browser is. */
  readonly network: string;
}

/** A device authorization (RFC 8628): a user consents on another device. Times in epoch milliseconds. */
export interface DeviceConsent extends Attempt {
  readonly _tag: "Device";
  readonly request: ConnectRequest & { readonly app: string };
  readonly deviceCode: Redacted.Redacted;
  readonly intervalMillis: number;
  readonly nextPollAt: number;
  readonly state: "pending" | "done" | "denied" | "expired";
  readonly account: AccountId | null;
}

/** Returns the service key that made a link; undefined for the admin key, and for an attempt that is not a link. */
export const linkKeyOf = (attempt: ConnectAttempt): string | undefined =>
  attempt._tag === "Link" ? attempt.request.key : undefined;

/** A connection that a user has begun and not finished. */
export type ConnectAttempt = ConnectLink | Consent | DeviceConsent;
