import { Effect } from "effect";
import type { AccountData } from "../shared/index.ts";
import { AccountAccess } from "./AccountAccess.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

/** How many rows are removed in one transaction. */
const BATCH = 200;

const data = Effect.map(
  AccountDirectory,
  (directory) =>
    ({
      name: "accounts",
      erase: directory.erase,
      needsCredential: (account) =>
        Effect.map(directory.find(account), (found) => found._tag === "Some" && found.value.managed),
    }) satisfies AccountData,
);

/** Accounts: the directory, who may use which, and the servers that they live on. */
export const accounts = {
  layer: AccountAccess.layer,
  data,
  sweeps: Effect.map(AccountDirectory, ({ removeUnused }) => [
    Effect.gen(function* () {
      while ((yield* removeUnused(BATCH)) === BATCH);
    }),
  ]),
};
