import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cidrOf, clientAddress, networkOf } from "../src/wire/request-client.ts";

const PROXIES = ["10.0.0.0/8", "fd00::/8"].map((text) => cidrOf(text)!);

const clientNetwork = (...[peer, forwardedFor, trusted]: Parameters<typeof clientAddress>) =>
  networkOf(clientAddress(peer, forwardedFor, trusted));

describe("the network of a client", () => {
  it.each([
    ["203.0.113.9", undefined, "203.0.113.9"],
    ["::ffff:203.0.113.9", undefined, "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", undefined, "2001:db8:1:2::/64"],
    ["2001:db8:1:2::ff", undefined, "2001:db8:1:2::/64"],
    [undefined, undefined, "unknown"],
    ["10.1.2.3", "203.0.113.9", "203.0.113.9"],
    ["10.1.2.3", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["10.1.2.3", "203.0.113.9, 10.9.9.9", "203.0.113.9"],
    ["10.1.2.3", "10.7.7.7, 10.9.9.9", "10.7.7.7"],
    ["10.1.2.3", "203.0.113.9:4711", "203.0.113.9"],
    ["10.1.2.3", "[2001:db8::1]:4711", "2001:db8::/64"],
    ["fd00::1", "2001:db8::1", "2001:db8::/64"],
    ["10.1.2.3", "203.0.113.9, unknown", "10.1.2.3"],
    ["10.1.2.3", "", "10.1.2.3"],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ])("peer %s forwarding for %s: %s [S3.6-2] [S1.3-26]", (peer, forwardedFor, network) => {
    expect(clientNetwork(peer, forwardedFor, PROXIES)).toBe(network);
  });

  it("ignores what an untrusted client writes into the header [S1.3-26]", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (peer, written) => {
        fc.pre(!peer.startsWith("10."));
        expect(clientNetwork(peer, written.join(", "), PROXIES)).toBe(peer);
        expect(clientNetwork("10.0.0.1", [...written, peer].join(", "), PROXIES)).toBe(peer);
      }),
    );
  });
});

describe("address blocks", () => {
  it("parses the usual forms and refuses others", () => {
    expect(["10.0.0.0/8", "127.0.0.1", "::1", "fd00::/8"].every((text) => cidrOf(text) !== undefined)).toBe(true);
    expect(["", "10.0.0.0/33", "ten", "10.1", "0x7f.0.0.1", "fd00::/129"].map(cidrOf)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });
});
