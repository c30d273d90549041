import { Context, type Effect, Schema } from "effect";

/** An address at which a host may be contacted. */
export interface CheckedAddress {
  /** IPv4 or IPv6 in standard notation. */
  readonly address: string;
  readonly family: 4 | 6;
  /** Whether the operator exempted the address's network from the rules for private addresses and ports. */
  readonly allowed: boolean;
}

/** A host may not be contacted: one of its addresses is not public, or the port is not allowed. */
export class AddressDenied extends Schema.TaggedError<AddressDenied>()("AddressDenied", {
  rule: Schema.Literals(["address", "port"]),
}) {}

/**
 * A host name has no address. `nxdomain`: the name does not exist. `servfail`, `dns_timeout` and `dns_failed`: the name
 * servers gave no answer; a retry may help.
 */
export class HostUnresolved extends Schema.TaggedError<HostUnresolved>()("HostUnresolved", {
  reason: Schema.Literals(["nxdomain", "servfail", "dns_timeout", "dns_failed"]),
}) {}

/**
 * Checks hosts that a user or another server named, before each connection to them. The caller connects to one of the
 * checked addresses and never resolves the name again, so that a change of the name's records cannot lead to another
 * address.
 */
export class EgressGuard extends Context.Service<
  EgressGuard,
  {
    /**
     * Returns all addresses of a host name, or the host itself if it is an address; at least one, in the order in which
     * to try them. If one address is denied, the host is denied.
     */
    readonly resolve: (
      host: string,
      port: number,
    ) => Effect.Effect<ReadonlyArray<CheckedAddress>, AddressDenied | HostUnresolved>;
  }
>()("@postern/core/shared/ports/EgressGuard") {}
