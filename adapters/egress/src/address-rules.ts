import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** IPv4 networks outside the public internet (IANA special-purpose registry, and Azure's host address). */
export const REFUSED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
] as const;

/** The only publicly routed IPv6 network, and its blocks that are not routed. */
export const ALLOWED_IPV6 = "2000::/3";
export const REFUSED_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48"] as const;

/** Addresses that embed an IPv4 address in their last 32 bits (RFC 6052). */
export const NAT64 = "64:ff9b::/96";

const refusedIpv4 = REFUSED_IPV4.map((cidr) => ipaddr.parseCIDR(cidr));
const allowedIpv6 = ipaddr.parseCIDR(ALLOWED_IPV6);
const refusedIpv6 = REFUSED_IPV6.map((cidr) => ipaddr.parseCIDR(cidr));
const nat64 = ipaddr.parseCIDR(NAT64);

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** How an address may be reached: not at all, as a public address, or as an address in a network that the operator allowed. */
export type Reach = "blocked" | "public" | "allowed";

/** Parses networks such as `10.0.0.0/8` or `fd00::/8`; throws a RangeError that names an invalid network. */
export const networksOf = (cidrs: ReadonlyArray<string>): ReadonlyArray<Network> =>
  cidrs.map((cidr) => {
    const [address = "", bits = ""] = cidr.split("/");
    if (isIP(address) === 0 || !/^\d+$/.test(bits) || !ipaddr.isValidCIDR(cidr)) {
      throw new RangeError(`${JSON.stringify(cidr)} is no network: write it as 10.0.0.0/8 or fd00::/8`);
    }
    return ipaddr.parseCIDR(cidr);
  });

/** Classifies an address in standard notation; any other text is blocked. */
export const reachOf = (text: string, allowed: ReadonlyArray<Network>): Reach => {
  if (isIP(text) === 0 || text.includes("%")) return "blocked";
  const address = ipaddr.parse(text);
  if (allowed.some((network) => isIn(address, network))) return "allowed";
  if (address instanceof ipaddr.IPv4) {
    return refusedIpv4.some((network) => isIn(address, network)) ? "blocked" : "public";
  }
  if (isIn(address, nat64)) return reachOf(address.toByteArray().slice(12).join("."), allowed);
  const isPublic = isIn(address, allowedIpv6) && !refusedIpv6.some((network) => isIn(address, network));
  return isPublic ? "public" : "blocked";
};
