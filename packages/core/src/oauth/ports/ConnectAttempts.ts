import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { ConnectAttempt } from "../ConnectAttempt.ts";

/** Stores attempts to connect an account, encrypted, for all processes together. */
export class ConnectAttempts extends Context.Service<
  ConnectAttempts,
  {
    readonly insert: (attempt: ConnectAttempt) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (id: string) => Effect.Effect<Option.Option<ConnectAttempt>, StoreUnavailable>;
    /** Removes an attempt and returns it. If calls are concurrent, only one of them gets the attempt. */
    readonly take: (id: string) => Effect.Effect<Option.Option<ConnectAttempt>, StoreUnavailable>;
    /** Replaces an attempt by the result of `decide`; concurrent changes wait. None if the attempt does not exist. */
    readonly change: <A>(
      id: string,
      decide: (attempt: ConnectAttempt) => readonly [A, ConnectAttempt],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    /** Returns the number of consents begun in a network that have not expired at `now`. */
    readonly countFrom: (network: string, now: number) => Effect.Effect<number, StoreUnavailable>;
    /** Removes the links that a service key created; returns how many were still valid at `now`. */
    readonly removeOf: (key: string, now: number) => Effect.Effect<number, StoreUnavailable>;
    /** Removes attempts that expired before a time (epoch milliseconds). */
    readonly removeExpired: (before: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/oauth/ports/ConnectAttempts") {}
