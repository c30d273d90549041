import { Effect } from "effect";
import type { AccountId } from "../shared/index.ts";
import { MailServerError } from "../mail/index.ts";
import type { Folder } from "./Folder.ts";
import { MailboxChanges } from "./ports/MailboxChanges.ts";
import { surveys } from "./survey.ts";

/** Trash as it is listed now, made where it is missing (spec 4). */
export const trashFolder = Effect.gen(function* () {
  const survey = yield* surveys;
  const changes = yield* MailboxChanges;

  return Effect.fnUntraced(function* (account: AccountId) {
    const { folders, root } = yield* survey(account);
    const path = `${root.prefix}Trash`;
    const isTrash = (folder: Folder) => folder.selectable && (folder.role === "trash" || folder.path === path);
    const known = folders.find(({ role }) => role === "trash") ?? folders.find(isTrash);
    if (known !== undefined) return known;
    yield* changes.create(account, path, "trash").pipe(
      Effect.catchTag("FolderExists", () => Effect.void),
      Effect.catchTag("FolderNameInvalid", () => unlisted(path)),
    );
    return (yield* survey(account)).folders.find(isTrash) ?? (yield* unlisted(path));
  });
});

/** A folder of ours that the server made and does not list. */
export const unlisted = (path: string): MailServerError =>
  new MailServerError({ reason: "protocol", operation: "list", detail: `${path} was made and is not listed` });
