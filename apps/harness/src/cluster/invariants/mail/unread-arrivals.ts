import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../Cluster.ts";
import { factsOf } from "../../Fact.ts";

/**
 * Returns the ids of messages that may have left INBOX before anyone read them: those that another client took, and those
 * that arrived before INBOX got a new UIDVALIDITY.
 */
export const unreadArrivals = ({ facts }: Cluster, account: AccountId): ReadonlySet<string> => {
  const of = (fact: { readonly account: AccountId }) => fact.account === account;
  const recreated = factsOf(facts, "InboxRecreated").findLast(of)?.at ?? 0;
  const overlooked = factsOf(facts, "MailArrived").filter(({ at }) => at <= recreated);
  return new Set([...factsOf(facts, "MailTaken"), ...overlooked].filter(of).map(({ messageId }) => messageId));
};
