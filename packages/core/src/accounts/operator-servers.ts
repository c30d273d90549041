import { Effect, Option } from "effect";
import { type AccountServers, isSameServer, type MailServer } from "../mail/index.ts";
import type { AccountId, IdScope, StoreUnavailable } from "../shared/index.ts";
import type { Account } from "./Account.ts";
import type { AccountSettings } from "./AccountSettings.ts";
import type { AccountDirectory } from "./ports/AccountDirectory.ts";

/** Returns the servers of the deployment if the account lives on them, otherwise null (spec 10.4). */
export const operatorServers = (
  { mode, servers, domains }: typeof AccountSettings.Service,
  account: AccountId,
): AccountServers | null => (mode === "fixed" || domains.includes(domainOf(account)) ? servers : null);

/**
 * Returns the servers on which an account lives: the deployment's, or else the servers stored with the account; null if
 * neither is known. Code that shows, verifies, uses or watches an account applies this rule.
 */
export const serversOf = (
  settings: typeof AccountSettings.Service,
  account: AccountId,
  stored: Pick<Account, "servers"> | null,
): AccountServers | null => operatorServers(settings, account) ?? stored?.servers ?? null;

/**
 * Returns the servers on which an account lives now; null if none is known. Reads the directory only if the account
 * does not live on the deployment's servers.
 */
export const findServers = (
  settings: typeof AccountSettings.Service,
  directory: AccountDirectory["Service"],
  account: AccountId,
): Effect.Effect<AccountServers | null, StoreUnavailable> => {
  const operators = operatorServers(settings, account);
  return operators !== null
    ? Effect.succeed(operators)
    : Effect.map(directory.find(account), (stored) => serversOf(settings, account, Option.getOrNull(stored)));
};

/**
 * Returns the key of an account at a server. The stored state of mailboxes uses this key, because another server may
 * report the same counters for other mail.
 */
export const accountAtServer = (
  account: AccountId,
  { host, port, tls, username, certificateSha256 }: MailServer,
): string => `${account}\n${JSON.stringify([host, port, tls, username, certificateSha256])}`;

/** Returns the key of an account at its current IMAP server. */
export const findAccountAtServer = (
  settings: typeof AccountSettings.Service,
  directory: AccountDirectory["Service"],
  account: AccountId,
): Effect.Effect<string, StoreUnavailable> =>
  Effect.map(findServers(settings, directory, account), (servers) =>
    servers === null ? account : accountAtServer(account, servers.imap),
  );

/**
 * Returns a function that finds the scope of an account's message ids. Accounts on the deployment's servers have one generation, whether or not
 * they are stored.
 */
export const findIdScope =
  (settings: typeof AccountSettings.Service, directory: AccountDirectory["Service"]) =>
  (account: AccountId): Effect.Effect<IdScope, StoreUnavailable> =>
    settings.mode === "fixed" || operatorServers(settings, account) !== null
      ? Effect.succeed(account)
      : Effect.map(directory.find(account), (found) => {
          const generation = Option.getOrUndefined(found)?.generation;
          return generation === undefined ? account : (`${account}\0${generation}` as IdScope);
        });

/** Returns the servers to store with an account; null if these are the deployment's servers. */
export const serversToStore = (
  settings: typeof AccountSettings.Service,
  account: AccountId,
  servers: AccountServers,
): AccountServers | null => (areSameServers(operatorServers(settings, account), servers) ? null : servers);

/** Returns whether two pairs of servers are the same; null stands for the deployment's servers. */
export const areSameServers = (one: AccountServers | null, other: AccountServers | null): boolean =>
  one === other ||
  (one !== null && other !== null && isSameServer(one.imap, other.imap) && isSameServer(one.smtp, other.smtp));

/** Returns the domain of an address. */
export const domainOf = (account: AccountId): string => account.slice(account.lastIndexOf("@") + 1);
