import { MessageNotFound, type MessagePlace } from "@postern/core/messages";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { openMailbox } from "./open-mailbox.ts";

/** Opens the mailbox of a message; its UIDVALIDITY must be that of the message's UID. */
export const openPlace = Effect.fnUntraced(function* (
  client: ImapFlow,
  { path, uidValidity }: Pick<MessagePlace, "path" | "uidValidity">,
  timeout: number,
) {
  const gone = () => Effect.fail(new MessageNotFound());
  const mailbox = yield* Effect.catchTag(
    openMailbox(client, path, timeout),
    ["FolderNotFound", "FolderNotSelectable"],
    gone,
  );
  return Number(mailbox.uidValidity) === uidValidity ? client : yield* new MessageNotFound();
});
