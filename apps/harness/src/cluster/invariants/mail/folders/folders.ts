import type { AccountId } from "@postern/core/shared";
import type { Cluster } from "../../../Cluster.ts";
import { type FactOf, factsOf } from "../../../Fact.ts";
import type { Invariant } from "../../../Invariant.ts";
import { hasMove } from "../../../servers/server-traits.ts";
import { ARCHIVE } from "../../../world/folders.ts";

/** The ports whose calls change mailboxes. */
const CHANGES = new Set(["MailboxChanges", "MessageChanges"]);

/**
 * A message in a folder is in at least one folder at every moment, and in exactly one at the end; a moved message has
 * left its old folder.
 */
export const folders: Invariant = {
  name: "folders",
  watch: (cluster) => {
    const check = (isQuiet: boolean) => {
      for (const [account, filed] of Map.groupBy(factsOf(cluster.facts, "MailFiled"), (fact) => fact.account)) {
        const copies = copiesOf(cluster, account);
        for (const one of filed) {
          const { messageId } = one;
          const count = copies.get(messageId) ?? 0;
          if (count === 0) cluster.violate("folders", `${messageId} of ${account} is in no folder`);
          if (isQuiet && count > 1 && mustBeOnce(one))
            cluster.violate("folders", `${messageId} of ${account} is in ${count} folders`);
        }
      }
    };
    return {
      answered: ({ port }) => {
        if (CHANGES.has(port)) check(false);
      },
      quiet: () => {
        check(true);
        for (const { account, messageId, from } of factsOf(cluster.facts, "MailMoved")) {
          const left = cluster.mail.account(account).find(from)?.mailbox?.messages ?? [];
          if (left.some(({ summary }) => summary.messageId === messageId)) {
            cluster.violate("folders", `${messageId} of ${account} is still in ${from} although it was moved`);
          }
        }
        for (const account of new Set(factsOf(cluster.facts, "MailFiled").map((fact) => fact.account))) {
          const hidden = cluster.mail
            .account(account)
            .list()
            .filter(({ path }) => path.includes("postern-"));
          for (const { path } of hidden) cluster.violate("folders", `the folder ${path} of ${account} stays hidden`);
        }
      },
    };
  },
};

/**
 * Returns whether each message must be there only once. On a server without MOVE, the move of a single message is not
 * journaled: if it is interrupted between copy and removal, both messages stay.
 */
const mustBeOnce = ({ account, folder }: FactOf<"MailFiled">) => hasMove(account) || folder !== ARCHIVE;

/** Returns the number of copies of each message in all folders together. */
const copiesOf = (cluster: Cluster, account: AccountId): ReadonlyMap<string, number> => {
  const copies = new Map<string, number>();
  for (const { mailbox } of cluster.mail.account(account).list()) {
    for (const { summary } of mailbox?.messages ?? []) {
      if (summary.messageId !== null) copies.set(summary.messageId, (copies.get(summary.messageId) ?? 0) + 1);
    }
  }
  return copies;
};
