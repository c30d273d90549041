import { Context, Effect, Layer } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { Folder } from "./Folder.ts";
import { FolderSync } from "./FolderSync.ts";
import { MailboxChanges } from "./ports/MailboxChanges.ts";
import { unlisted } from "./unlisted.ts";

/** Finds or creates the Trash folder (spec 4). */
export class TrashFolder extends Context.Service<
  TrashFolder,
  {
    /** Returns the Trash folder of a current listing; creates it if missing. */
    readonly ensure: (account: AccountId) => Effect.Effect<Folder, MailboxAccessError>;
  }
>()("@postern/core/folders/TrashFolder") {
  static readonly layer = Layer.effect(
    TrashFolder,
    Effect.gen(function* () {
      const { sync } = yield* FolderSync;
      const changes = yield* MailboxChanges;

      const ensure = Effect.fn("TrashFolder.ensure")(function* (account: AccountId) {
        const { folders, root } = yield* sync(account);
        const path = `${root.prefix}Trash`;
        const isTrash = (folder: Folder) => folder.selectable && (folder.role === "trash" || folder.path === path);
        const known = folders.find(({ role }) => role === "trash") ?? folders.find(isTrash);
        if (known !== undefined) return known;
        yield* changes.create(account, path, "trash").pipe(
          Effect.catchTag("FolderExists", () => Effect.void),
          Effect.catchTag("FolderNameInvalid", () => unlisted(path)),
        );
        return (yield* sync(account)).folders.find(isTrash) ?? (yield* unlisted(path));
      });

      return TrashFolder.of({ ensure });
    }),
  ).pipe(Layer.provide(FolderSync.layer));
}
