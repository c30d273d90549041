import type { KnownProvider } from "./KnownProvider.ts";
import { KNOWN_PROVIDERS } from "./known-providers.ts";

const byDomain = new Map(KNOWN_PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));
const byMx = new Map(KNOWN_PROVIDERS.flatMap((provider) => provider.mx.map((domain) => [domain, provider])));
/**
 * The providers by IMAP host. If two providers share a server, the map has the provider for customers' own domains.
 * Addresses of the other provider are found by their domain.
 */
const byImapHost = new Map(
  KNOWN_PROVIDERS.toSorted((one, other) => one.mx.length - other.mx.length).map((provider) => [
    provider.imap.host,
    provider,
  ]),
);

/** Returns the provider whose users have addresses in this domain. */
export const providerOfDomain = (domain: string): KnownProvider | undefined => byDomain.get(domain);

/** Returns the provider that runs this IMAP server. */
export const providerOfImapHost = (host: string): KnownProvider | undefined => byImapHost.get(host);

/** Returns the provider that runs an MX host, by the longest domain that contains the host. */
export const providerOfMx = (host: string): KnownProvider | undefined => {
  const labels = host.split(".");
  return labels.map((_, n) => byMx.get(labels.slice(n).join("."))).find((provider) => provider !== undefined);
};
