import { Context, Effect, Layer, Option } from "effect";
import type { AccountServers } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { operatorServers, serversOf } from "./operator-servers.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

/** The servers on which accounts live now (spec 10.4). */
export class CurrentServers extends Context.Service<
  CurrentServers,
  {
    /** Returns an account's servers; null if none is known. Reads the directory only where the deployment's are not its own. */
    readonly of: (account: AccountId) => Effect.Effect<AccountServers | null, StoreUnavailable>;
  }
>()("@postern/core/accounts/CurrentServers") {
  static readonly layer = Layer.effect(
    CurrentServers,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const directory = yield* AccountDirectory;
      return CurrentServers.of({
        of: Effect.fnUntraced(function* (account) {
          const operators = operatorServers(settings, account);
          if (operators !== null) return operators;
          return serversOf(settings, account, Option.getOrNull(yield* directory.find(account)));
        }),
      });
    }),
  );
}
