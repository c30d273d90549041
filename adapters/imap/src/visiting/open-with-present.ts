import { type MailboxPlace, MessageNotFound } from "@postern/core/messages";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { isRemoval } from "../rows/is-removal.ts";
import { searchUids } from "../reading/search-uids.ts";
import { isOpenInbox } from "../selecting/open-mailbox.ts";
import { selectMailbox } from "../selecting/select-mailbox.ts";
import { pipeline } from "../wire/in-one-write.ts";
import { uidSet } from "../wire/uid-set.ts";
import { SearchAnswer } from "./SearchAnswer.ts";
import { searchLine } from "./search-line.ts";

/**
 * Opens a mailbox and returns those of the UIDs that still exist, in one write. Fails if the UIDVALIDITY differs. A session
 * that has INBOX open sends NOOP in place of SELECT. Dovecot runs the NOOP after the search, so the function searches again
 * if a NOOP reports removals.
 */
export const openWithPresent = Effect.fnUntraced(function* (
  client: ImapFlow,
  { path, uidValidity }: MailboxPlace,
  uids: ReadonlyArray<number>,
  timeout: number,
) {
  const set = uidSet(uids);
  const line = searchLine(client, { uid: set })!;
  const found = new SearchAnswer(false);
  let isCurrent = true;
  const take = (payload: Buffer): boolean => {
    if (isRemoval(payload)) isCurrent = false;
    return found.take(payload, uids.length);
  };
  let accepted: ReadonlyArray<boolean>;
  if (isOpenInbox(client, path, uidValidity)) {
    ({ accepted } = yield* command(client, "search", timeout, () => pipeline(client, ["NOOP", line, "NOOP"], take)));
  } else {
    const selected = yield* Effect.catchTag(
      selectMailbox(client, path, timeout, [line], take),
      ["FolderNotFound", "FolderNotSelectable"],
      () => new MessageNotFound(),
    );
    if (Number(selected.mailbox.uidValidity) !== uidValidity) return yield* new MessageNotFound();
    ({ accepted } = selected);
  }
  isCurrent &&= accepted.every(Boolean);
  return (isCurrent ? found.uids() : undefined) ?? (yield* searchUids(client, set, timeout));
});
