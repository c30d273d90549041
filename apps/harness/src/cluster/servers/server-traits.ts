import type { AccountId } from "@postern/core/shared";

/**
 * Returns whether the mail server of an account has MOVE. The server of kim, and of visitors whose name begins so, lacks
 * MOVE: messages are copied, then removed.
 */
export const hasMove = (account: AccountId): boolean => !account.startsWith("kim");

/**
 * Returns whether the mail server of an account copies the messages that it accepts to Sent. The servers of robin and of
 * accounts that begin with `storing` do.
 */
export const storesSent = (account: AccountId): boolean => /^(robin@|storing-)/.test(account);

/** Returns whether the mail server of an account reports changes by QRESYNC. The servers of accounts that begin with `quick` do. */
export const hasQuickResync = (account: AccountId): boolean => account.startsWith("quick");

/** Returns whether the mail server of an account announces the changes of all folders by NOTIFY. The servers of accounts with `notified` in their name do. */
export const hasNotify = (account: AccountId): boolean => account.includes("notified");
