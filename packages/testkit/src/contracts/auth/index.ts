import { accountErasuresContract } from "./account-erasures-contract.ts";
import { credentialVaultContract } from "./credential-vault-contract.ts";
import { loginAttemptsContract } from "./login-attempts-contract.ts";
import { sessionsContract } from "./sessions-contract.ts";

export * from "./fingerprints-contract.ts";
export * from "./mail-login-contract.ts";
export * from "./tokens-contract.ts";

/** The contracts of the stores of `auth`, by port. */
export const authStores = {
  AccountErasures: accountErasuresContract,
  CredentialVault: credentialVaultContract,
  LoginAttempts: loginAttemptsContract,
  Sessions: sessionsContract,
};
