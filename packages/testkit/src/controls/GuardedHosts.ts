import type { HostUnresolved } from "@postern/core/shared";
import { Context, type Effect } from "effect";

/** The addresses of a host name, or the reason why the name has none. */
export type HostAnswer = ReadonlyArray<string> | HostUnresolved["reason"];

/**
 * Host names for an `EgressGuard` under test, which exempts 127.0.0.0/8 and fd00::/8, and allows only the ports 143,
 * 465, 587 and 993.
 */
export class GuardedHosts extends Context.Service<
  GuardedHosts,
  {
    /** Returns a new name with these answers, one for each lookup; the last answer repeats. */
    readonly name: (...answers: ReadonlyArray<HostAnswer>) => Effect.Effect<string>;
  }
>()("@postern/testkit/GuardedHosts") {}
