import type { Redacted } from "effect";
import type { KeyReach } from "../auth/index.ts";
import type { AccountId } from "../shared/index.ts";

/** The connection that an application requested. */
export interface ConnectRequest {
  /** The address of the mailbox; null if the user enters it or the provider reports it. */
  readonly address: string | null;
  /** The id of an app; null if the address determines the app. */
  readonly app: string | null;
  /** The new tags; null to keep the account's tags (a new account then gets none). */
  readonly tags: ReadonlyArray<string> | null;
  /** The reach of the requesting key; null for the admin key. */
  readonly reach: KeyReach | null;
  /** The id of the requesting service key; its deletion ends the request. Absent for the admin key. */
  readonly key?: string;
}

interface Attempt {
  /** The hash of the secret that identifies the attempt to a browser or client. */
  readonly id: string;
  /** When the attempt expires, in epoch milliseconds. */
  readonly expiresAt: number;
}

/** A URL that an application gives to one user, to connect one account (spec 11.3). */
export interface ConnectLink extends Attempt {
  readonly _tag: "Link";
  readonly request: ConnectRequest;
  readonly redirectUrl: string;
  /** A value that the application gets back with the result. */
  readonly state: string | null;
  /** The secret in the link's URL, so that a repeated request gets the same URL; absent if a repeat cannot be recognised. */
  readonly secret?: Redacted.Redacted;
}

/** A user's unfinished consent at a provider in one browser; `id` is the hash of `state`. */
export interface Consent extends Attempt {
  readonly _tag: "Consent";
  /** The hash of the secret in the browser's cookie. */
  readonly browser: string;
  readonly app: string;
  readonly nonce: string;
  readonly verifier: Redacted.Redacted;
  readonly address: string | null;
  /** The secret of the link that began the consent; null for a sign-in. */
  readonly link: Redacted.Redacted | null;
  /** The network of the browser. */
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

/** Returns the service key that created a link; undefined for the admin key, and for an attempt that is not a link. */
export const linkKeyOf = (attempt: ConnectAttempt): string | undefined =>
  attempt._tag === "Link" ? attempt.request.key : undefined;

/** A user's unfinished attempt to connect an account. */
export type ConnectAttempt = ConnectLink | Consent | DeviceConsent;
