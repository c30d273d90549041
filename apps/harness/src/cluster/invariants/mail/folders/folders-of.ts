import { FolderManagement, Folders } from "@postern/core/folders";
import { Inbox, Messages } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Visit } from "../../../Visit.ts";

/** Returns the requests of an account about its folders and messages. */
export const foldersOf = (visit: Visit, account: AccountId) => {
  const list = (folder: string) =>
    Effect.map(
      visit.ask("list", (services) => Context.get(services, Inbox).list(account, { folder })),
      ({ page }) => page,
    );
  return {
    list,
    folders: visit.ask("folders", (services) => Context.get(services, Folders).list(account)),
    managed: visit.ask("managed folders", (services) => Context.get(services, FolderManagement).list(account)),
    /** Checks that each id opens the message that it was shown for. */
    open: (shown: ReadonlyMap<string, string | null>, when: string) =>
      Effect.forEach(shown, ([id, messageId]) =>
        Effect.map(
          Effect.result(visit.ask("read", (services) => Context.get(services, Messages).read(account, id))),
          (read) =>
            visit.same(
              read._tag === "Success" ? read.success.summary.messageId : read.failure,
              messageId,
              `what an id opens ${when}`,
            ),
        ),
      ),
    shownIn: (folder: string) =>
      Effect.map(list(folder), ({ emails }) => new Map(emails.map(({ id, message }) => [id, message.messageId]))),
  };
};
