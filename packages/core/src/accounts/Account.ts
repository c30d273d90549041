import { Schema } from "effect";
import type { AccountServers } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { AccountFault } from "./AccountFault.ts";

/** The states of an account (spec 10.3). */
export const ACCOUNT_STATES = ["active", "needs_reauth", "paused", "unreachable"] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/**
 * Which folders of an account are followed: `inbox` follows INBOX while an endpoint or a stream waits for events, `all`
 * follows all folders at any time (spec 7.11).
 */
export const Follow = Schema.Literals(["inbox", "all"]);
export type Follow = typeof Follow.Type;

/** How an account signs in at its mail server. */
export const AuthKind = Schema.Literals(["password", "oauth2", "application"]);
export type AuthKind = typeof AuthKind.Type;

/** A failed connection, sign-in or request for a token, and when the failures began, in epoch milliseconds. */
export interface AccountFailure {
  readonly cause: AccountFault;
  readonly since: number;
}

/** A mailbox that Postern serves (spec 10.1). Times are epoch milliseconds. */
export interface Account {
  readonly id: AccountId;
  readonly name: string | null;
  /**
   * Whether the account's credential is kept until the account is deleted. Otherwise it is kept only while a session or
   * a job needs it.
   */
  readonly managed: boolean;
  readonly pausedAt: number | null;
  /** The current failure to reach the mail servers; null while the servers answer. */
  readonly unreachable: AccountFailure | null;
  /**
   * When the mail server refused the stored credential, according to `CredentialVault`; null while the server accepts
   * the credential.
   */
  readonly refusedAt: number | null;
  /** Why the credential was refused, if the last verification or the OAuth2 provider gave a reason. */
  readonly refusedCause: AccountFault | null;
  readonly authKind: AuthKind;
  /** The id of the OAuth2 app that the account signs in with; null if it signs in with a password. */
  readonly provider: string | null;
  /** The servers stored with the account; null if it uses the servers of the deployment. */
  readonly servers: AccountServers | null;
  /** The capabilities that the IMAP server listed at the last verification. */
  readonly capabilities: ReadonlyArray<string>;
  /** The account's tags, sorted and without duplicates. */
  readonly tags: ReadonlyArray<string>;
  /**
   * The generation of the account's message ids, drawn at random with its servers; absent if an earlier release or a
   * sign-in added the account.
   */
  readonly generation?: string;
  /** The account's own setting; null if the setting of the deployment applies. */
  readonly follow: Follow | null;
  readonly createdAt: number;
  /** When the mail server last accepted the account; updated at most every five minutes. */
  readonly lastSeenAt: number | null;
}
