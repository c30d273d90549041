import type { ServiceKey } from "../auth/index.ts";
import type { Scope, SendPolicy } from "../auth/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import type { ClientIdentity } from "./AssistantClient.ts";

/** A person's permission for one assistant in one mailbox (spec 13.3). Secrets are stored as hashes; times are epoch milliseconds. */
export interface AgentGrant {
  readonly id: string;
  readonly account: AccountId;
  readonly name: string;
  readonly client: ClientIdentity;
  readonly scopes: ReadonlyArray<Scope>;
  /** The policy for sending without an approval, if the grant has `mail:send`. */
  readonly sendPolicy: SendPolicy;
  readonly createdAt: number;
  /** When the grant was last used, accurate to a minute; null before the first use. */
  readonly lastUsedAt: number | null;
  /** When the refresh token expires, and the grant with it. */
  readonly expiresAt: number;
  readonly access: { readonly hash: string; readonly expiresAt: number };
  /** The current refresh token, and the secret that all refresh tokens of the grant contain. */
  readonly refresh: { readonly hash: string; readonly family: string };
}

/** Returns the key that a grant acts as. The key reaches only the grant's account. */
export const keyOfGrant = ({
  id,
  name,
  account,
  scopes,
  sendPolicy,
  createdAt,
  expiresAt,
  lastUsedAt,
}: AgentGrant): ServiceKey => ({
  kind: "grant",
  id,
  name,
  application: id,
  scopes,
  sendPolicy,
  accounts: [account],
  networks: null,
  createdAt,
  expiresAt,
  lastUsedAt,
  sendPerDay: null,
  notify: null,
});
