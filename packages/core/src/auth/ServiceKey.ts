import type { KeyReach } from "./key-reach.ts";
import type { Scope } from "./scopes.ts";
import type { SendPolicy } from "./SendPolicy.ts";

/** The credential of an application's backend, without its secret. Times are epoch milliseconds. */
export interface ServiceKey {
  /** Present if the key stands for a grant of an assistant, whose tokens only `/mcp` accepts (spec 13.3). */
  readonly kind?: "grant";
  readonly id: string;
  readonly name: string;
  /** The name of its application. All keys with this name manage the same webhook endpoints. */
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
  /** What the key may send without an approval; null or absent if it has no policy. */
  readonly sendPolicy?: SendPolicy | null;
  /** The address for notices about the application's webhook endpoints; null for none. */
  readonly notify: string | null;
  /** When its application was suspended. A read of the key adds it; it is not stored with the key. */
  readonly suspendedAt?: number;
}
