import { Brand, Option } from "effect";

/**
 * The key of an account: its address in lower case, the domain in A-label form
 * (spec 3). Two spellings of one address are one account.
 */
export type AccountId = Brand.Branded<string, "AccountId">;

/** Marks text that is known to be an account key; `accountIdOf` makes one from an address. */
export const AccountId = Brand.nominal<AccountId>();

/** In every runtime, but not in the types of the language alone. */
declare const URL: {
  new (url: string): { readonly hostname: string };
  canParse(url: string): boolean;
};

const LOCAL_PART = /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}]{1,64}$/u;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The account key an address stands for, or none where the text is no mailbox address. */
export const accountIdOf = (address: string): Option.Option<AccountId> => {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0));
  if (!LOCAL_PART.test(local)) return Option.none();
  return Option.map(hostNameOf(address.slice(at + 1)), (domain) => AccountId(`${local.toLowerCase()}@${domain}`));
};

/** A domain in A-label form and lower case, or none where the text is no host name. */
export const hostNameOf = (domain: string): Option.Option<string> =>
  Option.filter(Option.some(aLabel(domain)), (name) => HOST_NAME.test(name));

/** WHATWG host parsing is UTS 46; it would also read a path, a port or an IPv4 spelling, so those are refused first. */
const aLabel = (domain: string): string =>
  /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) && /\p{L}[^.]*$/u.test(domain) && URL.canParse(`http://${domain}`)
    ? new URL(`http://${domain}`).hostname
    : "";
