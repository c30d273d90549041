/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: { canParse(url: string): boolean };

const DECIMAL = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** The forms of an IPv4 address that URL parsers accept before a prefix length, such as `0x7f.1`. */
const NUMERIC = /^(?:0x[\da-f]+|\d+)(?:\.(?:0x[\da-f]+|\d+)){0,3}$/i;

const isV6 = (text: string): boolean =>
  text.includes(":") && URL.canParse(`http://[${text.replace(/%[\da-z]+$/i, "")}]`);

/** Returns whether a text is an IP address, or a block of addresses in CIDR notation. */
export const isNetwork = (text: string): boolean => {
  const block = /^(.+)\/(\d+)$/.exec(text);
  if (block !== null) {
    const [, address = "", bits] = block;
    return isV6(address)
      ? Number(bits) <= 128
      : NUMERIC.test(address) && URL.canParse(`http://${address}`) && Number(bits) <= 32;
  }
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  return DECIMAL.test(bare) || isV6(bare);
};
