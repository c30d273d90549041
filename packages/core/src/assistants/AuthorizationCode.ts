import type { Scope, SendPolicy } from "../auth/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import type { ClientIdentity } from "./AssistantClient.ts";

/** A code that an assistant exchanges once for tokens (RFC 6749, 4.1.2); `id` is the hash of the code. */
export interface AuthorizationCode {
  readonly id: string;
  readonly account: AccountId;
  readonly client: ClientIdentity;
  readonly redirectUri: string;
  /** The S256 challenge (RFC 7636). */
  readonly challenge: string;
  readonly scopes: ReadonlyArray<Scope>;
  readonly sendPolicy: SendPolicy;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}
