import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";

/** The maximum number of new connections to one host in any span of `windowMillis`. */
export interface HostLimit {
  readonly connections: number;
  readonly windowMillis: number;
}

/** Stores the times at which new connections to mail hosts are opened, for all nodes, in epoch milliseconds (spec 10.3). */
export class HostConnections extends Context.Service<
  HostConnections,
  {
    /**
     * Reserves and returns the first time from `now` on at which one more connection stays within the limit. If that
     * time is after `latest`, reserves nothing and returns none.
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
