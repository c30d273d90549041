import { type FolderList, PosternApi } from "@postern/api";
import { Folders } from "@postern/core/folders";
import { Effect } from "effect";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../answer.ts";
import { currentAccount } from "../current-account.ts";
import { listing } from "../listing.ts";

/** Handlers of the folder operations (spec 4.1). */
export const FoldersHandlers = handlerGroup(
  PosternApi,
  "folders",
  Effect.fn(function* (handlers) {
    const folders = yield* Folders;
    return handlers.handleAll({
      list: () =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(folders.list(account))),
          Effect.map((listed) => listing<typeof FolderList.Type>({ ok: true, folders: listed })),
        ),
    });
  }),
);
