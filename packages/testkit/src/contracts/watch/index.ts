import { accountWatchesContract } from "./account-watches-contract.ts";
import { followedMailboxesContract } from "./followed-mailboxes-contract.ts";
import { movedMessagesContract } from "./moved-messages-contract.ts";
import { senderBlocksContract } from "./sender-blocks-contract.ts";

export * from "./inbox-watch-contract.ts";
export * from "./message-fingerprints-contract.ts";
export { watchNodesContract } from "./account-watches-contract.ts";

/** The contracts of the stores of `watch`, by port. */
export const watchStores = {
  AccountWatches: accountWatchesContract,
  FollowedMailboxes: followedMailboxesContract,
  MovedMessages: movedMessagesContract,
  SenderBlocks: senderBlocksContract,
};
