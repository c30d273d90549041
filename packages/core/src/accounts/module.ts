import { Clock, Duration, Effect, Layer } from "effect";
import type { AccountData } from "../shared/neighbours.ts";
import { Accounts } from "./Accounts.ts";
import { AccountStanding } from "./AccountStanding.ts";
import { Discovery } from "./discovery/Discovery.ts";
import { IdScopesOfAccounts } from "./IdScopesOfAccounts.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";
import { HostConnections } from "./ports/HostConnections.ts";
import { ProtocolLogs } from "./ports/ProtocolLogs.ts";
import { AccountProtocolLog, LOG_KEPT } from "./protocol-log/AccountProtocolLog.ts";

/** How many rows are removed in one transaction. */
const BATCH = 200;

/** How long the times of connections are kept, in milliseconds: longer than the window of any limit. */
const CONNECTIONS_KEPT = Duration.toMillis("1 day");

const data = Effect.gen(function* () {
  const directory = yield* AccountDirectory;
  const logs = yield* ProtocolLogs;
  return {
    name: "accounts",
    erase: (account) => Effect.andThen(logs.erase(account), directory.erase(account)),
    needsCredential: (account) =>
      Effect.map(directory.find(account), (found) => found._tag === "Some" && found.value.managed),
  } satisfies AccountData;
});

/** The domain of accounts: their directory, keys' access to them, their servers and their protocol logs. */
export const accounts = {
  layer: Layer.mergeAll(AccountStanding.layer, AccountProtocolLog.layer).pipe(
    Layer.provideMerge(Discovery.layer),
    Layer.provideMerge(Accounts.layer),
    Layer.provideMerge(IdScopesOfAccounts),
  ),
  data,
  workers: Effect.map(AccountProtocolLog, ({ worker }) => [worker]),
  sweeps: Effect.gen(function* () {
    const { removeUnused } = yield* AccountDirectory;
    const { removeOld } = yield* HostConnections;
    const { removeEnded } = yield* ProtocolLogs;
    return [
      Effect.gen(function* () {
        while ((yield* removeUnused(BATCH)) === BATCH);
      }),
      Effect.flatMap(Clock.currentTimeMillis, (now) => removeOld(now - CONNECTIONS_KEPT)),
      Effect.flatMap(Clock.currentTimeMillis, (now) => removeEnded(now - Duration.toMillis(LOG_KEPT))),
    ];
  }),
};
