/** Networks outside the public internet, each with its first, its last and some other addresses. */
const DENIED_IPV4 = [
  "0.0.0.0 0.0.0.1 0.255.255.255",
  "10.0.0.0 10.0.0.1 10.1.2.3 10.128.0.1 10.255.255.255",
  "100.64.0.0 100.100.100.200 100.127.255.255",
  "168.63.129.16",
  "169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255",
  "172.16.0.0 172.17.0.1 172.20.10.1 172.31.255.255",
  "192.0.0.0 192.0.0.8 192.0.0.192 192.0.0.255",
  "192.0.2.0 192.0.2.1 192.0.2.255",
  "192.88.99.0 192.88.99.1 192.88.99.255",
  "192.168.0.0 192.168.0.1 192.168.1.1 192.168.178.1 192.168.255.255",
  "198.18.0.0 198.18.0.1 198.19.255.255",
  "198.51.100.0 198.51.100.1 198.51.100.255",
  "203.0.113.0 203.0.113.1 203.0.113.255",
  "224.0.0.0 224.0.0.251 239.255.255.250 239.255.255.255",
  "240.0.0.0 250.1.2.3 255.255.255.254 255.255.255.255",
].flatMap((network) => network.split(" "));

/** Loopback addresses, which the guards of the contract exempt. */
export const LOOPBACK_ADDRESSES = ["127.0.0.0", "127.0.0.1", "127.0.0.53", "127.1.2.3", "127.255.255.255"];

const DENIED_IPV6 =
  `:: ::1 ::2 ::ffff 1:: 100:: 100::1 64:ff9b:1:: 64:ff9b:1::1 64:ff9b::1:0:0:0 5f00::1 1fff:ffff::1 2001:: 2001:0:1::1
  2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8:: 2001:db8::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002::1
  2002:ffff:ffff::1 2620:4f:8000:: 2620:4f:8000::1 3fff:: 3fff::1 3fff:fff:ffff::1 4000::1 8000::1 c000::1 e000::1 f000::1
  fbff:ffff::1 fc00:: fc00::1 fe00::1 fe80:: fe80::1 fe80::a00:27ff:fe4e:66a1 febf:ffff::1 fec0:: fec0::1 ff00:: ff02::1
  ff02::fb ff05::2 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff`.split(/\s+/);

const hex = (v4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

/** Returns the IPv6 addresses that embed an IPv4 address: NAT64, mapped, compatible, translated and 6to4. */
const embeddings = (v4: string): ReadonlyArray<string> => [
  `64:ff9b::${hex(v4)}`,
  `64:ff9b::${v4}`,
  `::ffff:${v4}`,
  `::ffff:${hex(v4)}`,
  `::${v4}`,
  `::ffff:0:${hex(v4)}`,
  `2002:${hex(v4)}::1`,
];

/** More than 400 addresses that every guard denies unless they are exempted. */
export const DENIED_ADDRESSES: ReadonlyArray<string> = [
  ...DENIED_IPV4,
  ...DENIED_IPV6,
  ...DENIED_IPV4.flatMap(embeddings),
];
