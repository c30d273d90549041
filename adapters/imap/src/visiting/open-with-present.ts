import { type MailboxPlace, MessageNotFound } from "@postern/core/messages";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { searchUids } from "../reading/search-uids.ts";
import { isOpenInbox } from "../selecting/open-mailbox.ts";
import { selectMailbox } from "../selecting/select-mailbox.ts";
import { inOneWrite } from "../wire/in-one-write.ts";
import { uidSet } from "../wire/uid-set.ts";
import { SearchAnswer } from "./SearchAnswer.ts";
import { searchLine } from "./search-line.ts";

const REMOVAL = /^\* (?:\d+ EXPUNGE|VANISHED)/i;

/** How much of a response is read to recognise it. */
const MAX_TEXT = 64;

/**
 * Opens the mailbox of messages, whose UIDVALIDITY must be that of their UIDs, and returns those that are still there, in one
 * write. A session that has INBOX open sends NOOP in place of SELECT; Dovecot runs it after the search, so the messages are
 * searched again where a NOOP tells of removals.
 */
export const openWithPresent = Effect.fnUntraced(function* (
  client: ImapFlow,
  { path, uidValidity }: MailboxPlace,
  uids: ReadonlyArray<number>,
  timeout: number,
) {
  const set = uidSet([...new Set(uids)].toSorted((one, other) => one - other));
  const line = searchLine(client, { uid: set })!;
  const found = new SearchAnswer(false);
  let isCurrent = true;
  const searchBehind = async <A>(run: () => Promise<A>, after: ReadonlyArray<string>) => {
    const take = (payload: Buffer): boolean => {
      if (REMOVAL.test(payload.toString("latin1", 0, MAX_TEXT))) isCurrent = false;
      return found.take(payload, uids.length);
    };
    const { answer, accepted } = await inOneWrite(client, [line, ...after], take, run);
    isCurrent &&= accepted.every(Boolean);
    return answer;
  };
  if (isOpenInbox(client, path, uidValidity)) {
    yield* command(client, "search", timeout, () => searchBehind(() => client.noop(), ["NOOP"]));
  } else {
    const mailbox = yield* Effect.catchTag(
      selectMailbox(client, path, timeout, () => searchBehind(() => client.mailboxOpen(path), [])),
      ["FolderNotFound", "FolderNotSelectable"],
      () => new MessageNotFound(),
    );
    if (Number(mailbox.uidValidity) !== uidValidity) return yield* new MessageNotFound();
  }
  return (isCurrent ? found.uids() : undefined) ?? (yield* searchUids(client, set, timeout));
});
