import type { MailboxAccessError } from "@postern/core/mail";
import type { FoundUids, MessageSearch, SearchCharsetRefused, SearchCriteria } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Effect, Stream } from "effect";

/** Searches one mailbox; null if it is gone. */
export const findIn = (
  search: MessageSearch["Service"],
  account: AccountId,
  path: string,
  criteria: SearchCriteria,
): Effect.Effect<FoundUids | null, MailboxAccessError | SearchCharsetRefused> =>
  Effect.map(Stream.runCollect(search.find(account, [path], criteria)), (found) => new Map(found).get(path) ?? null);
