import { connectAttemptsContract } from "./connect-attempts-contract.ts";
import { grantsContract } from "./grants-contract.ts";
import { oAuthAppsContract } from "./oauth-apps-contract.ts";

export * from "./authorization-server-contract.ts";

/** The contracts of the stores of `oauth`, by port. */
export const oauthStores = {
  ConnectAttempts: connectAttemptsContract,
  Grants: grantsContract,
  OAuthApps: oAuthAppsContract,
};
