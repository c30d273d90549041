import { Clock, Duration, Effect, Layer } from "effect";
import type { AccountData } from "../shared/index.ts";
import { AccountAccess } from "./AccountAccess.ts";
import { AccountEvents } from "./AccountEvents.ts";
import { Accounts } from "./Accounts.ts";
import { AccountStanding } from "./AccountStanding.ts";
import { AccountVerification } from "./AccountVerification.ts";
import { Discovery } from "./discovery/Discovery.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";
import { HostConnections } from "./ports/HostConnections.ts";
import { ServerCandidates } from "./ServerCandidates.ts";
import { SignInServers } from "./SignInServers.ts";

/** How many rows are removed in one transaction. */
const BATCH = 200;

/** How long the moments of connections are kept: longer than any limit looks back, in milliseconds. */
const CONNECTIONS_KEPT = Duration.toMillis("1 day");

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
  layer: Layer.mergeAll(
    AccountAccess.layer,
    AccountEvents.layer,
    Accounts.layer,
    AccountStanding.layer,
    AccountVerification.layer,
    ServerCandidates.layer,
    SignInServers.layer,
  ).pipe(Layer.provideMerge(Discovery.layer)),
  data,
  sweeps: Effect.gen(function* () {
    const { removeUnused } = yield* AccountDirectory;
    const { removeOld } = yield* HostConnections;
    return [
      Effect.gen(function* () {
        while ((yield* removeUnused(BATCH)) === BATCH);
      }),
      Effect.flatMap(Clock.currentTimeMillis, (now) => removeOld(now - CONNECTIONS_KEPT)),
    ];
  }),
};
