import type { AccountServers } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { AccountSettings } from "./AccountSettings.ts";

/** Returns the servers of the deployment if the account lives on them, else null (spec 10.4). */
export const operatorServers = (
  { mode, servers, domains }: AccountSettings["Service"],
  account: AccountId,
): AccountServers | null => (mode === "fixed" || domains.includes(domainOf(account)) ? servers : null);

/** Returns the domain of an address. */
export const domainOf = (account: AccountId): string => account.slice(account.lastIndexOf("@") + 1);
