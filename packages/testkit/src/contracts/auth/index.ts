import { accountErasuresContract } from "./account-erasures-contract.ts";
import { applicationsContract } from "./applications-contract.ts";
import { credentialVaultContract } from "./credential-vault-contract.ts";
import { loginAttemptsContract } from "./login-attempts-contract.ts";
import { serviceKeysContract } from "./service-keys-contract.ts";
import { sessionsContract } from "./sessions-contract.ts";
import { wrongKeysContract } from "./wrong-keys-contract.ts";

export { passwordOf } from "./credential-vault-contract.ts";
export * from "./fingerprints-contract.ts";
export * from "./mail-login-contract.ts";
export * from "./tokens-contract.ts";

/** The contracts of the stores of `auth`, by port. */
export const authStores = {
  AccountErasures: accountErasuresContract,
  Applications: applicationsContract,
  CredentialVault: credentialVaultContract,
  LoginAttempts: loginAttemptsContract,
  ServiceKeys: serviceKeysContract,
  Sessions: sessionsContract,
  WrongKeys: wrongKeysContract,
};
