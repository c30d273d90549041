import { type SealingKey, SecretBox } from "@postern/node-crypto";
import { type DataDir, processesWithout, type Rewrapped, rewrapSecrets } from "@postern/sql";
import { Console, Effect, Option } from "effect";
import { database } from "../wiring/adapters.ts";
import type { Config } from "../settings/config.ts";
import { keyFile } from "../settings/key-file.ts";
import { newSealingKey } from "../settings/new-keys.ts";
import { readSealingKeys, serviceKeys } from "../settings/service-keys.ts";

/**
 * Seals every secret with the first of `CREDENTIAL_KEYS`; processes may be running. If the keys are in `DATA_DIR`, the
 * service must be stopped: the command first creates a new key and finally deletes the old one. After an interruption,
 * run the command again. Fails with `refused` if a secret is still sealed with an old key.
 */
export const rotateKeys = Effect.fnUntraced(function* (config: Config) {
  const service = yield* serviceKeys(config);
  const { storage, sealing } = service;
  const rotate =
    "url" in storage || Option.isSome(config.credentialKeys)
      ? Effect.as(
          Effect.andThen(refuseWhileKeyIsMissing(sealing[0]!), rewrap(sealing)),
          `Everything is under ${sealing[0]!.kid}; ${DROP_OTHERS}`,
        )
      : rotateKeyFile(storage.folder);
  yield* Console.log(yield* Effect.provide(rotate, database(service)));
}, Effect.scoped);

const DROP_OTHERS = "once every process has it first, the others may be dropped from CREDENTIAL_KEYS.";

const rotateKeyFile = Effect.fnUntraced(function* (folder: DataDir) {
  const file = keyFile(folder);
  const kept = yield* file.readOrMake;
  // More than one key means that a rotation was interrupted.
  const sealing = kept.sealing.includes(",") ? kept.sealing : `${newSealingKey()},${kept.sealing}`;
  yield* file.write({ ...kept, sealing });
  const keys = yield* readSealingKeys(sealing);
  yield* rewrap(keys);
  yield* file.write({ ...kept, sealing: sealing.split(",", 1)[0]! });
  return `Everything is under the new key ${keys[0]!.kid}; the old one is gone.`;
});

/** Fails if a running process lacks the key, because that process could no longer read the stored credentials. */
const refuseWhileKeyIsMissing = Effect.fnUntraced(function* ({ kid }: SealingKey) {
  const lacking = yield* processesWithout(kid);
  if (lacking === 0) return;
  yield* Console.error(
    `${lacking} running process${lacking === 1 ? "" : "es"} on this database may not have the key ${kid} yet, and could ` +
      "not decrypt secrets that are moved to it. No secret was moved. Give each process all keys with CREDENTIAL_KEYS, " +
      "restart it, and run this command again. A process that was killed counts for up to a minute.",
  );
  return yield* Effect.fail("refused" as const);
});

const rewrap = Effect.fnUntraced(function* (keys: ReadonlyArray<SealingKey>) {
  const rewrapped = yield* Effect.flatMap(SecretBox, (box) => rewrapSecrets(box, tell)).pipe(
    Effect.provide(SecretBox.layer({ keys })),
  );
  for (const one of rewrapped) yield* Console.log(summaryOf(one));
  if (rewrapped.every(({ unreadable }) => unreadable === 0)) return;
  yield* Console.error(
    "Some secrets are under none of the keys given: add the key that is missing and run this again.",
  );
  return yield* Effect.fail("refused" as const);
});

const tell = (table: string, seen: number) => Console.log(`  ${table}: ${seen} looked at`);

const summaryOf = ({ table, moved, untouched, unreadable }: Rewrapped): string =>
  `${table}: ${moved} moved, ${untouched} under the key already, ${unreadable} cannot be opened`;
