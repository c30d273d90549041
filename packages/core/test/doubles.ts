import { Effect, Layer, Metric, Option, Redacted } from "effect";
import { Fingerprints } from "../src/auth/index.ts";
import { Creations } from "../src/creations/index.ts";
import { AccountId, Entropy, OpaqueIds, Transaction } from "../src/shared/index.ts";
import type { KeyRequest } from "../src/auth/KeyRequest.ts";

/** Readable hashes, which contain their input. */
export const readableHashes = Layer.succeed(Fingerprints, {
  ofToken: (token) => `hash of ${token}`,
  ofPassword: (_, password) => `mark of ${Redacted.value(password)}`,
  ofAccount: (account) => `mark of ${account}`,
});

/** Returns the ids `id1`, `id2`, … for any number of bits. Refuses parts of bytes, as the real adapter does. */
export const numberedIds = Layer.sync(Entropy, () => {
  let made = 0;
  return {
    id: (bits) =>
      bits % 8 === 0
        ? Effect.sync(() => `id${++made}`.padEnd(Math.ceil(bits / 6), "_"))
        : Effect.die(new Error(`${bits} bits are not whole bytes`)),
  };
});

/** Makes the public id of an account from `acc_` and its address. */
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

/** Creates the requested resource at once, as for a request without an `Idempotency-Key`. */
export const withoutCreationKeys = Layer.mock(Creations, {
  once: (_, __, create) => create({ begin: () => Effect.void, complete: () => Effect.void }),
});

/** Returns the count of a metric in the test's registry; undefined if the registry does not have it. */
export const counted = (id: string): Effect.Effect<number | undefined> =>
  Effect.map(Metric.snapshot, (all) => {
    const found = all.find((one) => one.id === id);
    return found?.type === "Counter" ? Number(found.state.count) : undefined;
  });

/** A separate registry of metrics for a test. */
export const ownMetrics = <A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(test, Metric.MetricRegistry, new Map()));

/** The request for a key without limits. */
export const BARE_KEY: KeyRequest = {
  name: "CRM",
  application: null,
  scopes: ["mail:read"],
  accounts: null,
  networks: null,
  expiresAt: null,
  sendPerDay: null,
  notify: null,
};
