import { Context, Effect, Layer } from "effect";
import { type Folder, Folders } from "../folders/index.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { type AccountId, OpaqueIds } from "../shared/index.ts";
import type { SearchCharsetRefused } from "./errors.ts";
import { distinctFinds } from "./distinct-finds.ts";
import type { FolderFinds } from "./FolderFinds.ts";
import type { InboxEntry } from "./InboxPage.ts";
import { MessageSearch } from "./ports/MessageSearch.ts";
import type { SearchCriteria } from "./SearchCriteria.ts";

/** A listed message with the path of its folder. */
export interface FolderEntry extends InboxEntry {
  readonly uidValidity: number;
  readonly path: string;
}

/** Concurrent folder searches per request: with more, the searches wait for connections and the request times out. */
const AT_ONCE = 2;

/** Searches one folder or all folders, and reads the results. */
export class FolderSearch extends Context.Service<
  FolderSearch,
  {
    /** Returns the selectable folders, INBOX first, Junk and Trash last. */
    readonly all: (account: AccountId) => Effect.Effect<ReadonlyArray<Folder>, MailboxAccessError>;
    /**
     * Searches folders; a folder deleted meanwhile has no results. A message that the server recognises in several of
     * them is a result of the first only.
     */
    readonly find: (
      account: AccountId,
      where: ReadonlyArray<FolderFinds["folder"]>,
      criteria: SearchCriteria,
    ) => Effect.Effect<ReadonlyArray<FolderFinds>, MailboxAccessError | SearchCharsetRefused>;
    /** Returns messages by UID, newest first, without those deleted meanwhile. */
    readonly show: (
      account: AccountId,
      finds: FolderFinds,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyArray<FolderEntry>, MailboxAccessError>;
  }
>()("@postern/core/messages/FolderSearch") {
  static readonly layer = Layer.effect(
    FolderSearch,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const search = yield* MessageSearch;
      const ids = yield* OpaqueIds;

      const all = Effect.fnUntraced(function* (account: AccountId) {
        const rank = ({ role }: Folder) => (role === "trash" ? 2 : role === "junk" ? 1 : 0);
        const selectable = (yield* folders.list(account)).filter(({ selectable }) => selectable);
        return selectable.toSorted((one, other) => rank(one) - rank(other));
      });

      const find = Effect.fnUntraced(function* (
        account: AccountId,
        where: ReadonlyArray<FolderFinds["folder"]>,
        criteria: SearchCriteria,
      ) {
        const found = yield* Effect.forEach(
          where,
          (folder) =>
            Effect.map(search.find(account, folder.path, criteria), (uids): ReadonlyArray<FolderFinds> => [
              { folder, ...uids },
            ]).pipe(Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => Effect.succeed([]))),
          { concurrency: AT_ONCE },
        );
        return yield* distinct(account, found.flat());
      });

      const distinct = Effect.fnUntraced(function* (account: AccountId, finds: ReadonlyArray<FolderFinds>) {
        if (finds.filter(({ uids }) => uids.length > 0).length < 2) return finds;
        const emailIds: Array<ReadonlyMap<number, string>> = [];
        for (const { folder, uidValidity, uids } of finds) {
          const ids =
            uids.length === 0
              ? new Map<number, string>()
              : yield* Effect.catchTag(
                  search.emailIds(account, { path: folder.path, uidValidity }, uids),
                  "MessageNotFound",
                  () => Effect.succeed(new Map<number, string>()),
                );
          // A server has ids for all messages or for none.
          if (uids.length > 0 && ids.size === 0) return finds;
          emailIds.push(ids);
        }
        return distinctFinds(finds, emailIds);
      });

      const show = Effect.fnUntraced(function* (
        account: AccountId,
        { folder: { id, path }, uidValidity }: FolderFinds,
        uids: ReadonlyArray<number>,
      ) {
        if (uids.length === 0) return [];
        const messages = yield* Effect.catchTag(
          search.summaries(account, { path, uidValidity }, uids),
          "MessageNotFound",
          () => Effect.succeed([]),
        );
        const names = ids.messageIds(
          account,
          id,
          uidValidity,
          messages.map(({ uid }) => uid),
        );
        return messages.map((message, n): FolderEntry => ({ id: names[n]!, path, uidValidity, message })).toReversed();
      });

      return FolderSearch.of({ all, find, show });
    }),
  );
}
