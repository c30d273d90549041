import { type AccountId, CredentialVault, type KeptCredential, MailboxCredentialsRejected } from "@postern/core";
import { Effect, Layer } from "effect";

/** Credentials kept in this process and nowhere else. */
export const CredentialVaultInMemory = Layer.sync(CredentialVault, () => {
  const kept = new Map<AccountId, KeptCredential & { readonly rejected: boolean }>();
  return {
    keep: (account, { username, password }) =>
      Effect.sync(() => {
        const version = (kept.get(account)?.version ?? 0) + 1;
        kept.set(account, { username, password, version, rejected: false });
      }),
    reveal: (account) =>
      Effect.suspend(() => {
        const credential = kept.get(account);
        if (credential === undefined || credential.rejected) return Effect.fail(new MailboxCredentialsRejected());
        const { username, password, version } = credential;
        return Effect.succeed({ username, password, version });
      }),
    markRejected: (account, version) =>
      Effect.sync(() => {
        const credential = kept.get(account);
        if (credential?.version === version) kept.set(account, { ...credential, rejected: true });
      }),
  };
});
