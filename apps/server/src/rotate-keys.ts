import { SecretBox } from "@postern/node-crypto";
import { type Rewrapped, rewrapSecrets } from "@postern/sql";
import { Console, Effect, Option } from "effect";
import { database } from "./adapters.ts";
import type { Config } from "./config.ts";
import { keyFile } from "./key-file.ts";
import { newSealingKey } from "./new-keys.ts";
import { readSealingKeys, serviceKeys } from "./service-keys.ts";

/**
 * Moves every sealed secret to the first of `CREDENTIAL_KEYS`, beside running processes (security, credentials at rest).
 * Where the keys are kept in `DATA_DIR`, with the service stopped: makes a new key first, and drops the old one at the
 * end. Ended early it is run again. Fails with `refused` where something stays under an old key.
 */
export const rotateKeys = Effect.fnUntraced(function* (config: Config) {
  const { sealing } = yield* serviceKeys(config);
  const keptHere = Option.isNone(config.databaseUrl) && Option.isNone(config.credentialKeys);
  const file = keyFile(config.dataDir);

  const rotate = Effect.gen(function* () {
    // The data folder is locked from here on. More than one key: a rotation was ended early.
    const kept = keptHere ? yield* file.read : undefined;
    const text =
      kept === undefined || kept.sealing.includes(",") ? kept?.sealing : `${newSealingKey()},${kept.sealing}`;
    if (kept !== undefined && text !== undefined) yield* file.write({ ...kept, sealing: text });
    const keys = text === undefined ? sealing : yield* readSealingKeys(text);

    const rewrapped = yield* Effect.flatMap(SecretBox, (box) => rewrapSecrets(box, tell)).pipe(
      Effect.provide(SecretBox.layer({ keys })),
    );
    for (const one of rewrapped) yield* Console.log(summaryOf(one));
    if (rewrapped.some(({ unreadable }) => unreadable > 0)) {
      yield* Console.error(
        "Some secrets are under none of the keys given: add the key that is missing and run this again.",
      );
      return yield* Effect.fail("refused" as const);
    }
    if (kept !== undefined && text !== undefined) yield* file.write({ ...kept, sealing: text.split(",", 1)[0]! });
    yield* Console.log(
      keptHere
        ? `Everything is under the new key ${keys[0]!.kid}; the old one is gone.`
        : `Everything is under ${keys[0]!.kid}; once every process has it first, the others may be dropped from CREDENTIAL_KEYS.`,
    );
  });
  yield* rotate.pipe(Effect.provide(database(config, sealing)));
});

const tell = (table: string, seen: number) => Console.log(`  ${table}: ${seen} looked at`);

const summaryOf = ({ table, moved, untouched, unreadable }: Rewrapped): string =>
  `${table}: ${moved} moved, ${untouched} under the key already, ${unreadable} cannot be opened`;
