import { Result } from "effect";

/** Why a webhook URL is refused (spec 7): each is answered with a 400 that names the field `url`. */
export type UrlRefusal = "malformed" | "too_long" | "not_https" | "userinfo" | "name" | "address" | "unknown_name";

/** What to do about a refused URL, in words for the user who gave it. */
export const URL_REFUSALS: Readonly<Record<UrlRefusal, string>> = {
  malformed: "must be an absolute https:// URL",
  too_long: "must be at most 2048 characters",
  not_https: "must begin with https://; http:// is taken for addresses in WEBHOOK_ALLOWED_NETWORKS alone",
  userinfo: "must not hold a user name or password",
  name: "must name a public host: no single-label, .local, .internal or .localhost names; give the address of a receiver in WEBHOOK_ALLOWED_NETWORKS",
  address: "must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list",
  unknown_name: "names a host that does not exist",
};

/** A webhook URL as the sender uses it: parsed once, so that what was judged is what is contacted. */
export interface EndpointUrl {
  readonly secure: boolean;
  /** A name in A-label form without the final dot, or an address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  /** Such as `https://hooks.example.com:8443`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** In every runtime, but not in the types of the language alone. */
declare const URL: {
  new (
    url: string,
  ): Readonly<Record<"protocol" | "username" | "password" | "hostname" | "port" | "pathname" | "search", string>>;
  canParse(url: string): boolean;
};

const MAX_CHARACTERS = 2048;
const AUTHORITY_WITH_AT = /^[a-z]+:[/\\]*[^/\\?#]*@/i;
const REFUSED_NAMES = /^[^.]*$|\.(local|internal|localhost)$/;

/** The only form in which WHATWG parsing leaves an IPv4 address, whatever its spelling was. */
const DOTTED_QUAD = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Reads a webhook URL by the rules that need no look at its addresses. `http:` passes here: whether it may be used
 * depends on where the host leads (`WEBHOOK_ALLOWED_NETWORKS`).
 */
export const readEndpointUrl = (text: string): Result.Result<EndpointUrl, UrlRefusal> => {
  if (text.length > MAX_CHARACTERS) return Result.fail("too_long");
  if (!URL.canParse(text)) return Result.fail("malformed");
  const { protocol, username, password, hostname, port, pathname, search } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return Result.fail("not_https");
  // An empty user name (`https://@host`) is lost in parsing, so the authority is looked at as well.
  if (username !== "" || password !== "" || AUTHORITY_WITH_AT.test(text.trim())) return Result.fail("userinfo");
  const v6 = hostname.startsWith("[");
  const isAddress = v6 || DOTTED_QUAD.test(hostname);
  const host = v6 ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
  if (!isAddress && REFUSED_NAMES.test(host)) return Result.fail("name");
  const origin = `${protocol}//${v6 ? hostname : host}${port === "" ? "" : `:${port}`}`;
  return Result.succeed({ secure: protocol === "https:", host, isAddress, origin, path: pathname + search });
};
