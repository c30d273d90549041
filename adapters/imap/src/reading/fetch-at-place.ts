import type { MailServerError } from "@postern/core/mail";
import { MessageNotFound, type MessagePlace } from "@postern/core/messages";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { isOpenInbox } from "../selecting/open-mailbox.ts";
import { selectMailbox } from "../selecting/select-mailbox.ts";
import { pipeline, type Take } from "../wire/in-one-write.ts";

/**
 * Selects the mailbox of a message and sends the FETCH `line`, in one write. For a message of INBOX, a session that has
 * INBOX open sends NOOP in place of SELECT. A final NOOP makes the server report removals. Returns whether the server
 * accepted the FETCH. If `isFound` is false after a FETCH in an open INBOX, the function selects the mailbox and sends
 * the FETCH again.
 */
export const fetchAtPlace = Effect.fnUntraced(function* (
  client: ImapFlow,
  { path, uidValidity }: MessagePlace,
  line: string,
  timeout: number,
  take: Take,
  isFound: () => boolean,
): Effect.fn.Return<boolean, MailServerError | MessageNotFound> {
  if (isOpenInbox(client, path, uidValidity)) {
    yield* command(client, "fetch", timeout, () => pipeline(client, ["NOOP", line, "NOOP"], take));
    if (isFound() && isOpenInbox(client, path, uidValidity)) return true;
  }
  const { mailbox, accepted } = yield* Effect.catchTag(
    selectMailbox(client, path, timeout, [line, "NOOP"], take),
    ["FolderNotFound", "FolderNotSelectable"],
    () => new MessageNotFound(),
  );
  if (Number(mailbox.uidValidity) !== uidValidity) return yield* new MessageNotFound();
  return accepted[0] === true;
});
