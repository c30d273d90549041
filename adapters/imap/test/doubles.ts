import { Entropy, OpaqueIds } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault } from "@postern/core/auth";
import { FolderRecords, FolderRemovals } from "@postern/core/folders";
import type { AccountId } from "@postern/core/shared";
import type { KeptCredential } from "@postern/core/auth";
import type { FolderRecord, FolderRemoval } from "@postern/core/folders";
import { Effect, Layer, Option } from "effect";

/** An in-memory vault. */
export const vaultInMemory: Layer.Layer<CredentialVault> = Layer.sync(CredentialVault, () => {
  const kept = new Map<AccountId, KeptCredential>();
  const rejected = new Set<number>();
  let versions = 0;
  const reveal = (account: AccountId) =>
    Effect.suspend(() => {
      const credential = kept.get(account);
      return credential === undefined || rejected.has(credential.version)
        ? Effect.fail(new MailboxCredentialsRejected())
        : Effect.succeed(credential);
    });
  return CredentialVault.of({
    keep: (account, credential) => Effect.sync(() => void kept.set(account, { ...credential, version: ++versions })),
    reveal,
    version: (account) => Effect.map(reveal(account), ({ version }) => version),
    hold: () => Effect.die("unused"),
    find: () => Effect.succeedNone,
    markAccepted: () => Effect.succeed(false),
    markRejected: (_, version) => Effect.sync(() => void rejected.add(version)),
    takeRejection: () => Effect.die("unused"),
    listUnannounced: () => Effect.die("unused"),
    listUnmanaged: () => Effect.die("unused"),
    eraseUnless: () => Effect.die("unused"),
  });
});

/** Readable ids, for suites that do not test their form. */
export const plainIds: Layer.Layer<OpaqueIds> = Layer.succeed(OpaqueIds, {
  accountId: (account) => account,
  account: () => Option.none(),
  folderId: (_, identity) => `f_${identity}`,
  messageIds: (account, folderId, uidValidity, uids) =>
    uids.map((uid) => `${account} ${folderId} ${uidValidity} ${uid}`),
  messageRef: () => Option.none(),
});

export const recordsInMemory: Layer.Layer<FolderRecords> = Layer.sync(FolderRecords, () => {
  const records = new Map<AccountId, ReadonlyArray<FolderRecord>>();
  return FolderRecords.of({
    load: (account) => Effect.sync(() => records.get(account) ?? []),
    replace: (account, all) => Effect.sync(() => records.set(account, all).has(account)),
    erase: (account) => Effect.sync(() => void records.delete(account)),
  });
});

/** An in-memory journal whose leases do not expire. */
export const removalsInMemory: Layer.Layer<FolderRemovals> = Layer.sync(FolderRemovals, () => {
  const removals = new Map<string, FolderRemoval>();
  const leased = new Map<string, string>();
  const find = (account: AccountId, folderId: string) =>
    [...removals.values()].find((removal) => removal.account === account && removal.folderId === folderId);
  const unfinished = () => [...removals.values()].filter(({ phase }) => phase !== "finished");
  return FolderRemovals.of({
    begin: (removal) =>
      Effect.sync(() => {
        const standing = find(removal.account, removal.folderId) ?? removal;
        removals.set(standing.id, standing);
        return standing;
      }),
    find: (account, folderId) => Effect.sync(() => Option.fromUndefinedOr(find(account, folderId))),
    unfinished: (account) => Effect.sync(() => unfinished().filter((removal) => removal.account === account)),
    claim: (now, { token }, limit) =>
      Effect.sync(() => {
        const due = unfinished().filter(({ id, dueAt }) => dueAt <= now && !leased.has(id));
        for (const { id } of due.slice(0, limit)) leased.set(id, token);
        return due.slice(0, limit);
      }),
    claimOne: (id, _, { token }) =>
      Effect.sync(() => {
        if (leased.has(id)) return Option.none();
        leased.set(id, token);
        return Option.fromUndefinedOr(removals.get(id));
      }),
    renew: (ids, { token }) => Effect.sync(() => new Set(ids.filter((id) => leased.get(id) === token))),
    save: (removal, token) =>
      Effect.sync(() => leased.get(removal.id) === token && removals.set(removal.id, removal).size > 0),
    release: (ids, token) =>
      Effect.sync(() => {
        for (const id of ids) if (leased.get(id) === token) leased.delete(id);
      }),
    forget: (id) => Effect.sync(() => void removals.delete(id)),
    erase: () => Effect.die("unused"),
    forgetFinished: () => Effect.void,
    nextDue: Effect.sync(() => {
      const all = unfinished().map(({ dueAt }) => dueAt);
      return all.length === 0 ? Option.none() : Option.some(Math.min(...all));
    }),
    changed: Effect.never,
  });
});

export const randomEntropy: Layer.Layer<Entropy> = Layer.succeed(Entropy, {
  id: (bits) => Effect.sync(() => Buffer.from(crypto.getRandomValues(new Uint8Array(bits / 8))).toString("base64url")),
});
