import type { Account } from "./Account.ts";
import { domainOf } from "./operator-servers.ts";
import type { AccountReach } from "./ports/AccountDirectory.ts";

/** Whether a reach holds an account; a null reach holds every account. */
export const reaches = (reach: AccountReach | null, { id, tags }: Pick<Account, "id" | "tags">): boolean =>
  reach === null ||
  reach.accounts.includes(id) ||
  reach.domains.includes(domainOf(id)) ||
  reach.tags.some((tag) => tags.includes(tag));
