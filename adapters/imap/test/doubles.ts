import { CredentialVault, FolderRecords, MailboxCredentialsRejected, OpaqueIds } from "@postern/core";
import type { AccountId, FolderRecord, KeptCredential } from "@postern/core";
import { Effect, Layer, Option } from "effect";

/** A vault in a map. */
export const vaultInMemory: Layer.Layer<CredentialVault> = Layer.sync(CredentialVault, () => {
  const kept = new Map<AccountId, KeptCredential>();
  const rejected = new Set<number>();
  let versions = 0;
  return CredentialVault.of({
    keep: (account, credential) => Effect.sync(() => void kept.set(account, { ...credential, version: ++versions })),
    reveal: (account) =>
      Effect.suspend(() => {
        const credential = kept.get(account);
        return credential === undefined || rejected.has(credential.version)
          ? Effect.fail(new MailboxCredentialsRejected())
          : Effect.succeed(credential);
      }),
    markRejected: (_, version) => Effect.sync(() => void rejected.add(version)),
    eraseUnless: () => Effect.die("unused"),
  });
});

/** Ids one can read, for suites that do not ask what they look like. */
export const plainIds: Layer.Layer<OpaqueIds> = Layer.succeed(OpaqueIds, {
  folderId: (_, identity) => `f_${identity}`,
  messageIds: (account, folderId, uidValidity, uids) =>
    uids.map((uid) => `${account} ${folderId} ${uidValidity} ${uid}`),
  messageRef: () => Option.none(),
});

export const recordsInMemory: Layer.Layer<FolderRecords> = Layer.sync(FolderRecords, () => {
  const records = new Map<AccountId, ReadonlyArray<FolderRecord>>();
  return FolderRecords.of({
    load: (account) => Effect.sync(() => records.get(account) ?? []),
    replace: (account, all) => Effect.sync(() => void records.set(account, all)),
    erase: (account) => Effect.sync(() => void records.delete(account)),
  });
});
