import { ADMIN_SCOPES, type CurrentPrincipal, type NeededScope, SESSION_SCOPES } from "@postern/api";
import type { KeyHolder } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";

/** The credential of a request that was accepted. The host of an embedded service vouches for a session without an id. */
export type Credential =
  | { readonly _tag: "Session"; readonly account: AccountId; readonly sessionId: string }
  | KeyHolder;

/** Returns the scopes of a credential. */
export const scopesOf = (credential: Credential): ReadonlyArray<NeededScope> => {
  if (credential._tag === "Session") return SESSION_SCOPES;
  return credential._tag === "Admin" ? ADMIN_SCOPES : credential.key.scopes;
};

/** Returns the principal of a request about an account, or about none. */
export const principalOf = (credential: Credential, account: AccountId | null): CurrentPrincipal["Service"] => ({
  account,
  sessionId: credential._tag === "Session" ? credential.sessionId : "",
  isAdmin: credential._tag === "Admin",
  key: credential._tag === "Service" ? credential.key : null,
});
