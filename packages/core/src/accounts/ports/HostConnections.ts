import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";

/** How many connections to one host may be opened in any span of `windowMillis`. */
export interface HostLimit {
  readonly connections: number;
  readonly windowMillis: number;
}

/** Stores when new connections to mail hosts are opened, for all nodes (spec 10.3). Times in epoch milliseconds. */
export class HostConnections extends Context.Service<
  HostConnections,
  {
    /**
     * Reserves and returns the first moment from `now` on at which one more connection keeps the limit; reserves
     * nothing and returns none if that moment is after `latest`.
     */
    readonly reserve: (
      host: string,
      limit: HostLimit,
      now: number,
      latest: number,
    ) => Effect.Effect<Option.Option<number>, StoreUnavailable>;
    readonly removeOld: (before: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/accounts/ports/HostConnections") {}
