import { type Array, Cache, Context, Duration, Effect, Exit, Layer, Option, Semaphore } from "effect";
import { AddressMalformed } from "../../auth/index.ts";
import { type AccountId, accountIdOf, type InputInvalid } from "../../shared/index.ts";
import { checkAccount } from "../check-account.ts";
import { AccountSettings } from "../AccountSettings.ts";
import { domainOf, operatorServers } from "../operator-servers.ts";
import { DiscoverySources, NO_SERVERS } from "../ports/DiscoverySources.ts";
import { knownCandidate, operatorCandidate, rankCandidates, type SourceAnswers } from "./rank-candidates.ts";
import type { ServerCandidate } from "./ServerCandidate.ts";

/** The timeout of a request to one source, including the time in the queue. The whole discovery takes at most 2 seconds. */
const SOURCE_TIMEOUT = Duration.millis(1_800);
/** The maximum number of concurrent requests to sources, for all domains together. */
const MAX_CONCURRENT_SOURCES = 256;
/**
 * The number of domains whose answers are cached, and the lifetimes. An empty answer expires sooner, because a fault
 * may have caused it.
 */
const MAX_KEPT_DOMAINS = 1_000;
const SERVERS_KEPT = Duration.minutes(5);
const EMPTY_ANSWER_KEPT = Duration.seconds(30);

/** Proposes mail servers for an address (RFC 6186, RFC 8314, autoconfig). Sends no credential and no local part. */
export class Discovery extends Context.Service<
  Discovery,
  {
    /** Returns the pairs of servers that may hold the address, the best first, in at most 2 seconds. */
    readonly of: (account: AccountId) => Effect.Effect<Array.NonEmptyReadonlyArray<ServerCandidate>>;
    /** Returns the pairs of servers for an address of a request, which may be malformed. */
    readonly ofAddress: (
      email: string,
    ) => Effect.Effect<Array.NonEmptyReadonlyArray<ServerCandidate>, InputInvalid | AddressMalformed>;
  }
>()("@postern/core/accounts/discovery/Discovery") {
  static readonly layer = Layer.effect(
    Discovery,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const sources = yield* DiscoverySources;
      const turns = yield* Semaphore.make(MAX_CONCURRENT_SOURCES);

      const limit = <A>(source: Effect.Effect<A>, nothing: A): Effect.Effect<A> =>
        turns
          .withPermits(1)(source)
          .pipe(Effect.timeoutOrElse({ duration: SOURCE_TIMEOUT, orElse: () => Effect.succeed(nothing) }));

      const answers = yield* Cache.makeWith(
        (domain: string): Effect.Effect<SourceAnswers> =>
          Effect.all(
            {
              autoconfig: limit(sources.autoconfig(domain), NO_SERVERS),
              srv: limit(sources.srv(domain), NO_SERVERS),
              ispdb: limit(sources.ispdb(domain), NO_SERVERS),
              mx: limit(sources.mx(domain), []),
            },
            { concurrency: "unbounded" },
          ),
        {
          capacity: MAX_KEPT_DOMAINS,
          timeToLive: (exit) => (Exit.isSuccess(exit) && hasServers(exit.value) ? SERVERS_KEPT : EMPTY_ANSWER_KEPT),
        },
      );

      const of = Effect.fn("Discovery.of")(function* (
        account: AccountId,
      ): Effect.fn.Return<Array.NonEmptyReadonlyArray<ServerCandidate>> {
        const operators = operatorServers(settings, account);
        if (operators !== null) return [operatorCandidate(operators)];
        const known = knownCandidate(account);
        if (Option.isSome(known)) return [known.value];
        return rankCandidates(account, yield* Cache.get(answers, domainOf(account)));
      });

      const ofAddress = Effect.fnUntraced(function* (email: string) {
        yield* checkAccount({ email });
        const account = accountIdOf(email);
        return Option.isNone(account) ? yield* new AddressMalformed() : yield* of(account.value);
      });

      return Discovery.of({ of, ofAddress });
    }),
  );
}

const hasServers = ({ autoconfig, srv, ispdb, mx }: SourceAnswers): boolean =>
  [autoconfig, srv, ispdb].some(({ imap }) => imap.length > 0) || mx.length > 0;
