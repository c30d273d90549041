import { Result } from "effect";

/** The reasons why a webhook URL is refused (spec 7): a 400 that names the field `url`. */
export type UrlRefusal = "malformed" | "too_long" | "not_https" | "userinfo" | "name" | "address" | "unknown_name";

/** The message about a refused URL, for the user who entered it. */
export const URL_REFUSALS: Readonly<Record<UrlRefusal, string>> = {
  malformed: "must be an absolute https:// URL",
  too_long: "must be at most 2048 characters",
  not_https: "must begin with https:// (http:// is for addresses in WEBHOOK_ALLOWED_NETWORKS only)",
  userinfo: "must not contain a user name or password",
  name: "must name a public host, not a single-label, .local, .internal or .localhost name; for a private receiver give its address, which WEBHOOK_ALLOWED_NETWORKS must list",
  address: "must not resolve to a private or reserved address, unless WEBHOOK_ALLOWED_NETWORKS lists it",
  unknown_name: "names a host that does not exist",
};

/** A webhook URL, parsed once, so that the sender contacts exactly the host that was checked. */
export interface EndpointUrl {
  readonly secure: boolean;
  /** A host name in A-label form without the final dot, or an IP address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  /** The origin, for example `https://hooks.example.com:8443`. */
  readonly origin: string;
  /** The path and the query. */
  readonly path: string;
}

/** Present in every runtime, but not in TypeScript's ECMAScript types. */
declare const URL: {
  new (
    url: string,
  ): Readonly<Record<"protocol" | "username" | "password" | "hostname" | "port" | "pathname" | "search", string>>;
  canParse(url: string): boolean;
};

const MAX_CHARS = 2048;
const AUTHORITY_WITH_AT = /^[a-z]+:[/\\]*[^/\\?#]*@/i;
const REFUSED_NAMES = /^[^.]*$|\.(local|internal|localhost)$/;

/** The form into which WHATWG parsing converts every spelling of an IPv4 address. */
const DOTTED_QUAD = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Parses a webhook URL and applies the rules that do not depend on its addresses. `http:` is accepted here; the
 * resolved addresses decide whether it may be used (`WEBHOOK_ALLOWED_NETWORKS`).
 */
export const readEndpointUrl = (text: string): Result.Result<EndpointUrl, UrlRefusal> => {
  if (text.length > MAX_CHARS) return Result.fail("too_long");
  if (!URL.canParse(text)) return Result.fail("malformed");
  const { protocol, username, password, hostname, port, pathname, search } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return Result.fail("not_https");
  // The parser drops an empty user name (`https://@host`), so the text is checked too.
  if (username !== "" || password !== "" || AUTHORITY_WITH_AT.test(text.trim())) return Result.fail("userinfo");
  const v6 = hostname.startsWith("[");
  const isAddress = v6 || DOTTED_QUAD.test(hostname);
  const host = v6 ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
  if (!isAddress && REFUSED_NAMES.test(host)) return Result.fail("name");
  const origin = `${protocol}//${v6 ? hostname : host}${port === "" ? "" : `:${port}`}`;
  const secure = protocol === "https:";
  return Result.succeed({
    secure,
    host,
    isAddress,
    port: port === "" ? (secure ? 443 : 80) : Number(port),
    origin,
    path: pathname + search,
  });
};
