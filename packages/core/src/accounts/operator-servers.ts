import type { AccountServers, MailServer } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { AccountSettings } from "./AccountSettings.ts";

/** Returns the servers of the deployment if the account lives on them, else null (spec 10.4). */
export const operatorServers = (
  { mode, servers, domains }: typeof AccountSettings.Service,
  account: AccountId,
): AccountServers | null => (mode === "fixed" || domains.includes(domainOf(account)) ? servers : null);

/** Returns the servers to store with an account: null where they are the deployment's. */
export const serversToStore = (
  settings: typeof AccountSettings.Service,
  account: AccountId,
  servers: AccountServers,
): AccountServers | null => (sameServers(operatorServers(settings, account), servers) ? null : servers);

/** Whether two pairs of servers are the same; null are the deployment's. */
export const sameServers = (one: AccountServers | null, other: AccountServers | null): boolean =>
  one === other ||
  (one !== null && other !== null && sameServer(one.imap, other.imap) && sameServer(one.smtp, other.smtp));

const sameServer = (one: MailServer, other: MailServer): boolean =>
  one.host === other.host &&
  one.port === other.port &&
  one.tls === other.tls &&
  one.origin === other.origin &&
  one.username === other.username &&
  one.certificateSha256 === other.certificateSha256;

/** Returns the domain of an address. */
export const domainOf = (account: AccountId): string => account.slice(account.lastIndexOf("@") + 1);
