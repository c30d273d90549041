import type { KeyReach } from "./key-reach.ts";
import type { Scope } from "./scopes.ts";
import type { SendPolicy } from "./SendPolicy.ts";

/** The credential of an application's backend, without its secret. Times are epoch milliseconds. */
export interface ServiceKey {
  /** Present if the key stands for an assistant's grant, whose tokens only `/mcp` accepts (spec 13.3). */
  readonly kind?: "grant";
  readonly id: string;
  readonly name: string;
  /** The name of the key's application. All keys of the same application manage the same webhook endpoints. */
  readonly application: string;
  readonly scopes: ReadonlyArray<Scope>;
  /** The accounts that the key may use; null for all. */
  readonly accounts: KeyReach | null;
  /** The address blocks (CIDR) that the key is accepted from; null for all. */
  readonly networks: ReadonlyArray<string> | null;
  readonly createdAt: number;
  /** When the key expires, in epoch milliseconds; null if never. */
  readonly expiresAt: number | null;
  /** When the key was last used, accurate to a minute; null before the first use. */
  readonly lastUsedAt: number | null;
  /** The maximum number of messages that the key may send in 24 hours, over all accounts; null if only the accounts' limits count. */
  readonly sendPerDay: number | null;
  /** The policy for sending without an approval; null or absent if the key has none. */
  readonly sendPolicy?: SendPolicy | null;
  /** The address for notices about the application's webhook endpoints; null for none. */
  readonly notify: string | null;
  /**
   * When the key's application was suspended. The time is added when the key is read, and is not stored with the key.
   */
  readonly suspendedAt?: number;
}
