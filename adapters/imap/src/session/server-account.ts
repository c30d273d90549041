import { accountAtServer } from "@postern/core/accounts";
import type { MailServer } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import type { ImapFlow } from "imapflow";

const SERVER_ACCOUNTS = new WeakMap<ImapFlow, string>();

/** Records the account and the server of a session that signed in. */
export const recordServerAccount = (client: ImapFlow, account: AccountId, server: MailServer): void =>
  void SERVER_ACCOUNTS.set(client, accountAtServer(account, server));

/** Returns the account and the server of a session as one text: the key of data that outlives the session. */
export const serverAccountOf = (client: ImapFlow): string => SERVER_ACCOUNTS.get(client)!;
