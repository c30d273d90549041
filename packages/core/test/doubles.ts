import { Effect, Layer, Metric, Option, Redacted } from "effect";
import { Fingerprints } from "../src/auth/index.ts";
import { Creations } from "../src/creations/index.ts";
import { AccountId, Entropy, OpaqueIds, Transaction } from "../src/shared/index.ts";
import type { KeyRequest } from "../src/auth/KeyRequest.ts";

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

/** Creates at once what a request asks for, as for a request without an `Idempotency-Key`. */
export const withoutCreationKeys = Layer.mock(Creations, {
  once: (_, __, create) => create({ begin: () => Effect.void, complete: () => Effect.void }),
});

/** The count of a metric in the registry of the test; undefined if it has none. */
export const counted = (id: string): Effect.Effect<number | undefined> =>
  Effect.map(Metric.snapshot, (all) => {
    const found = all.find((one) => one.id === id);
    return found?.type === "Counter" ? Number(found.state.count) : undefined;
  });

/** A registry of metrics of its own for a test. */
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
