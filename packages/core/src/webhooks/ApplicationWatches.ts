import { Context, Effect, Fiber, Layer } from "effect";
import { type Account, AccountDirectory, stateOf } from "../accounts/index.ts";
import { EVERY_ACCOUNT, type KeyReach } from "../auth/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { WatchStarter } from "../watch/neighbours.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** How long the creation of an endpoint waits for the watches of its accounts. */
const PATIENCE = "10 seconds";
/** The mail hosts whose accounts are started at the same time, and the accounts of each. */
const HOSTS_AT_ONCE = 16;
const ACCOUNTS_AT_ONCE = 16;
const PAGE = 500;

/** Starts the watches of managed accounts that endpoints of applications reach (spec 10.3). */
export class ApplicationWatches extends Context.Service<
  ApplicationWatches,
  {
    /**
     * Starts watching the accounts in a reach, from the present on. Returns after 10 seconds at most, with the number of
     * accounts that are not watched yet; those are started in the background, and again by `sweep` if that fails.
     */
    readonly begin: (reach: KeyReach | null) => Effect.Effect<number, StoreUnavailable>;
    /** Starts the watches that are missing, for every endpoint of an application. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ApplicationWatches") {
  static readonly layer = Layer.effect(
    ApplicationWatches,
    Effect.gen(function* () {
      const directory = yield* AccountDirectory;
      const endpoints = yield* Endpoints;
      const watching = yield* WatchStarter;
      const scope = yield* Effect.scope;

      /** The managed accounts in a reach that can be watched. */
      const accountsIn = Effect.fnUntraced(function* (reach: KeyReach | null) {
        const found: Array<Account> = [];
        for (let after: AccountId | null = null; ;) {
          const page: ReadonlyArray<Account> = yield* directory.list({ reach, state: null, tag: null }, after, PAGE);
          found.push(...page.filter((one) => one.managed && stateOf(one) !== "paused"));
          if (page.length < PAGE) return found;
          after = page.at(-1)!.id;
        }
      });

      /** Starts watches. A host that is slow, or limits new connections, does not delay the accounts of another. */
      const beginAll = (accounts: ReadonlyArray<Account>, began: () => void) => {
        const begin = ({ id }: Account) =>
          watching.begin(id, "first watch").pipe(
            Effect.andThen(Effect.sync(began)),
            // A mail server that fails or refuses the credential is tried again by the sweep.
            Effect.ignore,
          );
        const byHost = Map.groupBy(accounts, ({ servers }) => servers?.imap.host.toLowerCase());
        return Effect.forEach(
          byHost.values(),
          (theirs) => Effect.forEach(theirs, begin, { concurrency: ACCOUNTS_AT_ONCE, discard: true }),
          { concurrency: HOSTS_AT_ONCE, discard: true },
        );
      };

      const begin = Effect.fn("ApplicationWatches.begin")(function* (reach: KeyReach | null) {
        const accounts = yield* accountsIn(reach);
        let pending = accounts.length;
        const all = beginAll(accounts, () => void pending--);
        yield* Effect.timeoutOption(Fiber.join(yield* Effect.forkIn(all, scope)), PATIENCE);
        return pending;
      });

      const sweep = Effect.gen(function* () {
        const entries = new Set(yield* endpoints.reachedEntries);
        if (entries.size === 0) return;
        yield* beginAll(yield* accountsIn(entries.has(EVERY_ACCOUNT) ? null : [...entries]), () => undefined);
      }).pipe(Effect.withSpan("ApplicationWatches.sweep"));

      return ApplicationWatches.of({ begin, sweep });
    }),
  );
}
