import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../Cluster.ts";
import { factsOf } from "../../Fact.ts";

/**
 * Returns the ids of messages that may have left INBOX before the service read them: another client removed them, or
 * INBOX got a new UIDVALIDITY after their arrival.
 */
export const unreadArrivals = ({ facts }: Cluster, account: AccountId): ReadonlySet<string> => {
  const of = (fact: { readonly account: AccountId }) => fact.account === account;
  const recreated = factsOf(facts, "InboxRecreated").findLast(of)?.at ?? 0;
  const overlooked = factsOf(facts, "MailArrived").filter(({ at }) => at <= recreated);
  return new Set([...factsOf(facts, "MailTaken"), ...overlooked].filter(of).map(({ messageId }) => messageId));
};
