import type { KeyReach } from "./key-reach.ts";
import type { Scope } from "./scopes.ts";

/** The credential of an application's backend. Its secret is not part of it. Times are epoch milliseconds. */
export interface ServiceKey {
  readonly id: string;
  readonly name: string;
  /** A name that keys share; keys of one application see its webhook endpoints. */
  readonly application: string;
  readonly scopes: ReadonlyArray<Scope>;
  /** The accounts that the key may use; null for all. */
  readonly accounts: KeyReach | null;
  /** The address blocks (CIDR) that the key is accepted from; null for all. */
  readonly networks: ReadonlyArray<string> | null;
  readonly createdAt: number;
  /** Null if the key does not expire. */
  readonly expiresAt: number | null;
  /** Accurate to a minute; null before the first use. */
  readonly lastUsedAt: number | null;
  /** How many messages the key may send in 24 hours, over all accounts; null if only the accounts' limits count. */
  readonly sendPerDay: number | null;
  /** The address for notices about the application's webhook endpoints; null for none. */
  readonly notify: string | null;
  /** Since when its application is suspended; read with the key, and not stored in it. */
  readonly suspendedAt?: number;
}
