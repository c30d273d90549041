import { Effect, Layer, Option, Redacted } from "effect";
import { Fingerprints } from "../src/auth/index.ts";
import { AccountId, Entropy, OpaqueIds, Transaction } from "../src/shared/index.ts";

/** Hashes that say what they are of. */
export const readableHashes = Layer.succeed(Fingerprints, {
  ofToken: (token) => `hash of ${token}`,
  ofPassword: (_, password) => `mark of ${Redacted.value(password)}`,
  ofAccount: (account) => `mark of ${account}`,
});

/** Ids `id1`, `id2`, … that look as long as was asked for; refuses parts of bytes, as the real one. */
export const numberedIds = Layer.sync(Entropy, () => {
  let made = 0;
  return {
    id: (bits) =>
      bits % 8 === 0
        ? Effect.sync(() => `id${++made}`.padEnd(Math.ceil(bits / 6), "_"))
        : Effect.die(new Error(`${bits} bits are not whole bytes`)),
  };
});

/** The id of an account that clients see is its address after `acc_`. */
export const readableIds = Layer.succeed(OpaqueIds, {
  accountId: (account) => `acc_${account}`,
  account: (id) => (id.startsWith("acc_") ? Option.some(AccountId(id.slice(4))) : Option.none()),
  folderId: (account, identity) => `f_${account}_${identity}`,
  messageIds: (account, folderId, uidValidity, uids) =>
    uids.map((uid) => JSON.stringify([account, folderId, uidValidity, uid])),
  messageRef: (account, id, folderIds) => {
    const [owner, folderId, uidValidity, uid] = JSON.parse(id);
    return owner === account && folderIds.includes(folderId)
      ? Option.some({ folderId, uidValidity, uid })
      : Option.none();
  },
});

/** Runs without a transaction. */
export const noTransaction = Layer.succeed(Transaction, { run: (effect) => effect });
