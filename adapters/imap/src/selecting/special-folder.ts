import type { FolderRole, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { prefixOf } from "../wire/imapflow-internals.ts";
import { listedMailboxes } from "./listed-mailboxes.ts";

/** Returns the path of the folder that the server marks or names with this role; undefined if there is none. */
export const specialFolder = (
  client: ImapFlow,
  role: FolderRole,
  timeout: number,
): Effect.Effect<{ readonly path: string | undefined; readonly delimiter: string }, MailServerError> =>
  // Without RETURN (SPECIAL-USE) the listing may lack special-use marks.
  Effect.map(
    command(client, "list", timeout, () => client.list()),
    (entries) => {
      const listed = listedMailboxes(entries, new Map(), (path) => prefixOf(client, path));
      return { path: listed.find((one) => one.role === role)?.path, delimiter: listed[0]?.delimiter ?? "/" };
    },
  );

/** Returns the path of the folder with this role; creates a folder with this name if no folder has the role. */
export const ensureSpecialFolder = Effect.fnUntraced(function* (
  client: ImapFlow,
  role: FolderRole,
  name: string,
  timeout: number,
): Effect.fn.Return<string, MailServerError> {
  const { path, delimiter } = yield* specialFolder(client, role, timeout);
  if (path !== undefined) return path;
  const create = (made: string) => command(client, "create", timeout, () => client.mailboxCreate(made));
  // Servers whose names must all begin with INBOX refuse the first name.
  return (yield* Effect.catch(create(name), () => create(`INBOX${delimiter}${name}`))).path;
});
