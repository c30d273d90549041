import type { KeyClient, SessionClient } from "@postern/core/auth";
import { Effect, Option } from "effect";
import { HttpServerRequest } from "effect/http";
import ipaddr from "ipaddr.js";

/** Returns the client of a request, for the network limits of keys and for the count of wrong keys. */
export const keyClient = (
  { headers, remoteAddress }: HttpServerRequest.HttpServerRequest,
  trustedProxies: ReadonlyArray<Cidr>,
): KeyClient => {
  const address = clientAddress(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], trustedProxies);
  return {
    network: networkOf(address),
    isWithin: (networks) => {
      const blocks = networks.map(cidrOf).filter((block) => block !== undefined);
      return address !== undefined && isWithin(address, blocks);
    },
  };
};

const USER_AGENT_CHARS = 256;

/** Returns the client of this request, for the list of sessions and for the throttle. */
export const sessionClient = (trustedProxies: ReadonlyArray<Cidr>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers, remoteAddress }): SessionClient => ({
    network: networkOf(clientAddress(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], trustedProxies)),
    userAgent: (headers["user-agent"] ?? "").slice(0, USER_AGENT_CHARS),
  }));

/** An address block, as in `TRUSTED_PROXIES`. */
export type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address; undefined for other text. */
export const cidrOf = (text: string): Cidr | undefined => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = addressOf(text);
  return address === undefined ? undefined : [address, address.kind() === "ipv4" ? 32 : 128];
};

/** The address of a client. */
export type ClientAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Returns the address of a client; undefined if it is unknown. Reads `X-Forwarded-For` from the right while trusted
 * proxies wrote the entries, so no entry of the client is used.
 */
export const clientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<Cidr>,
): ClientAddress | undefined => {
  let address = addressOf(peer ?? "");
  const hops = forwardedFor?.split(",") ?? [];
  while (address !== undefined && isWithin(address, trusted) && hops.length > 0) {
    const next = addressOf(hops.pop()!.trim());
    if (next === undefined) break;
    address = next;
  }
  return address;
};

/** Returns the network for which clients are counted (spec 3): an IPv4 address or an IPv6 /64. */
export const networkOf = (address: ClientAddress | undefined): string => {
  if (address === undefined) return "unknown";
  return address instanceof ipaddr.IPv4
    ? address.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
};

/** Parses an address; an IPv4 address only in dotted decimal form, because `010.1` and `0x7f.1` are ambiguous. */
const addressOf = (text: string): ClientAddress | undefined => {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined;
};

/** Returns whether an address is in one of these blocks. */
const isWithin = (address: ClientAddress, blocks: ReadonlyArray<Cidr>): boolean =>
  blocks.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits));
