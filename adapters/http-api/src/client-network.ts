import ipaddr from "ipaddr.js";

/** An address block, as in `TRUSTED_PROXIES`. */
export type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address; undefined for other text. */
export const cidrOf = (text: string): Cidr | undefined => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = addressOf(text);
  return address === undefined ? undefined : [address, address.kind() === "ipv4" ? 32 : 128];
};

/**
 * Returns the network of a request (spec 3): its IPv4 address or IPv6 /64. Reads `X-Forwarded-For` from the right as
 * long as the entries come from trusted proxies, so entries written by the client are never used.
 */
export const clientNetwork = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<Cidr>,
): string => {
  let address = addressOf(peer ?? "");
  const hops = forwardedFor?.split(",") ?? [];
  while (address !== undefined && isWithin(address, trusted) && hops.length > 0) {
    const next = addressOf(hops.pop()!.trim());
    if (next === undefined) break;
    address = next;
  }
  return address === undefined ? "unknown" : networkOf(address);
};

/** Accepts only the dotted decimal form of an IPv4 address: `010.1` and `0x7f.1` are ambiguous. */
const addressOf = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined;
};

const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, blocks: ReadonlyArray<Cidr>): boolean =>
  blocks.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits));

const networkOf = (address: ipaddr.IPv4 | ipaddr.IPv6): string =>
  address instanceof ipaddr.IPv4
    ? address.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
