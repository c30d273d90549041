import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { reopen } from "./copy-and-expunge.ts";
import { copiedUids, nameArgument, uidsArgument } from "../connection/execute.ts";
import { expungeUids } from "./expunge.ts";
import { prefixOf } from "../wire/imapflow-internals.ts";
import { listedMailboxes } from "../selecting/listed-mailboxes.ts";
import { uidSet } from "../wire/uid-set.ts";

/**
 * Deletes messages of the open mailbox permanently, including those with other labels. Gmail's EXPUNGE only removes a
 * label, except in Trash and Spam, so the messages are moved to Trash first.
 */
export const expungeEverywhere = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  timeout: number,
): Effect.fn.Return<void, MailServerError> {
  if (!client.capabilities.has("X-GM-EXT-1")) return yield* expungeUids(client, uids, timeout);
  const entries = yield* command(client, "list", timeout, () => client.list());
  const listed = listedMailboxes(entries, new Map(), (path) => prefixOf(client, path));
  const open = client.mailbox === false ? "" : client.mailbox.path;
  const trash = listed.find(({ role }) => role === "trash");
  const role = listed.find(({ path }) => path === open)?.role;
  if (trash === undefined || role === "trash" || role === "junk") return yield* expungeUids(client, uids, timeout);
  const to = nameArgument(client, trash.path);
  const moved = yield* copiedUids(client, "UID MOVE", timeout, uidsArgument(uidSet(uids)), to);
  if (moved.size === 0) return;
  yield* reopen(client, trash.path, timeout);
  const arrived = [...moved.values()].map(({ uid }) => uid);
  yield* expungeUids(
    client,
    arrived.toSorted((one, other) => one - other),
    timeout,
  );
});
