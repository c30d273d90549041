import { Context, Effect, Layer } from "effect";
import type { AccountServers, MailServer } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { Account } from "./Account.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { Discovery } from "./discovery/Discovery.ts";
import { ServersFixed } from "./errors.ts";
import { operatorServers } from "./operator-servers.ts";

/** The servers that a request names for an account; null where it leaves them to Postern. */
export interface GivenServers {
  readonly imap: MailServer | null;
  readonly smtp: MailServer | null;
}

type Candidates = readonly [AccountServers, ...ReadonlyArray<AccountServers>];

/** Decides which servers an account is verified at (spec 10.3, 10.4). */
export class ServerCandidates extends Context.Service<
  ServerCandidates,
  {
    /**
     * Returns the servers to try, the best first: those given, those stored for the account, the operator's, those
     * preferred, or those discovered.
     */
    readonly of: (
      account: AccountId,
      given: GivenServers,
      stored: Account | null,
      preferred?: AccountServers | null,
    ) => Effect.Effect<Candidates, ServersFixed>;
    /** Returns the same where a request names no servers. */
    readonly known: (account: AccountId, stored: Account | null) => Effect.Effect<Candidates>;
  }
>()("@postern/core/accounts/ServerCandidates") {
  static readonly layer = Layer.effect(
    ServerCandidates,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const discovery = yield* Discovery;

      const known = Effect.fnUntraced(function* (
        account: AccountId,
        stored: Account | null,
        preferred: AccountServers | null = null,
      ): Effect.fn.Return<Candidates> {
        const servers = stored?.servers ?? operatorServers(settings, account) ?? preferred;
        return servers === null ? yield* discovery.of(account) : [servers];
      });

      return ServerCandidates.of({
        known: (account, stored) => known(account, stored),
        of: Effect.fn("ServerCandidates.of")(function* (account, { imap, smtp }, stored, preferred) {
          if (settings.mode === "fixed" && (imap !== null || smtp !== null)) return yield* new ServersFixed();
          if (imap !== null && smtp !== null) return [{ imap, smtp }];
          const [best, ...others] = yield* known(account, stored, preferred);
          const completed = (servers: AccountServers) => ({ imap: imap ?? servers.imap, smtp: smtp ?? servers.smtp });
          return [completed(best), ...others.map(completed)];
        }),
      });
    }),
  );
}
