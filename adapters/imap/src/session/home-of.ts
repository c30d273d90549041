import { type MailServer, serverKey } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import type { ImapFlow } from "imapflow";

const HOMES = new WeakMap<ImapFlow, string>();

/** Records whose session this is, and where it signed in. */
export const signedIn = (client: ImapFlow, account: AccountId, server: MailServer): void =>
  void HOMES.set(client, `${account}\n${serverKey(server)}`);

/** Names the account and the server of a session: what is remembered beyond the session belongs to both. */
export const homeOf = (client: ImapFlow): string => HOMES.get(client)!;
