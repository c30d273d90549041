import { Brand, Option } from "effect";

/** The key of an account: its address in lower case, with the domain in A-label form (spec 3). All spellings of an address give the same key. */
export type AccountId = Brand.Branded<string, "AccountId">;

/** Marks a text that already is an account key. `accountIdOf` makes an account key from an address. */
export const AccountId = Brand.nominal<AccountId>();

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: {
  new (url: string): { readonly hostname: string };
  canParse(url: string): boolean;
};

const LOCAL_PART = /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}]{1,64}$/u;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Returns the account key of an address; none if the text is not a mailbox address. */
export const accountIdOf = (address: string): Option.Option<AccountId> => {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0));
  if (!LOCAL_PART.test(local)) return Option.none();
  return Option.map(hostNameOf(address.slice(at + 1)), (domain) => AccountId(`${local.toLowerCase()}@${domain}`));
};

/** Returns a domain in A-label form and lower case; none if the text is not a host name. */
export const hostNameOf = (domain: string): Option.Option<string> =>
  Option.filter(Option.some(aLabel(domain)), (name) => HOST_NAME.test(name));

/**
 * Converts a name by WHATWG host parsing (UTS 46). `URL` parsing also accepts paths, ports and IPv4 spellings, so these
 * are refused first.
 */
const aLabel = (domain: string): string =>
  /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) && /\p{L}[^.]*$/u.test(domain) && URL.canParse(`http://${domain}`)
    ? new URL(`http://${domain}`).hostname
    : "";
