import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { commandFailure } from "./imap-failure.ts";

/** Returns the existing UIDs of a range, ascending. `n:*` matches the last message if its UID is below n. */
export const searchUids = Effect.fnUntraced(function* (
  client: ImapFlow,
  range: string,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<number>, MailServerError> {
  const found = yield* command(client, "search", timeout, () => client.search({ uid: range }, { uid: true }));
  if (!Array.isArray(found)) return yield* commandFailure("search", new Error("the server gave no result"));
  return found.toSorted((one, other) => one - other);
});
