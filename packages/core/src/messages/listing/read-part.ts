import { Effect, type Scope } from "effect";
import type { Folder } from "../../folders/index.ts";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError, MessageSummary } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { FollowedMailboxes } from "../../watch/index.ts";
import type { FollowedMailbox } from "../../watch/neighbours.ts";
import { CursorStale, ListingNotReady } from "../errors.ts";
import { collect, type Cursor } from "../page.ts";
import type { MailboxReader } from "../ports/MailboxReader.ts";

/** The ports from which a folder is read. */
interface PartPorts {
  readonly reader: MailboxReader["Service"];
  readonly mailboxes: FollowedMailboxes["Service"];
}

type PartError = MailboxAccessError | CursorStale | ListingNotReady;

/** A folder to read, and its state known to the follower; null if the account does not follow all folders. */
interface FolderToRead {
  readonly folder: Pick<Folder, "id" | "key" | "path">;
  readonly known: FollowedMailbox | null;
  /** Where the reading continues; undefined at the newest message. */
  readonly cursor: Cursor | undefined;
}

/** Messages of a folder, and the start of the next part; undefined if there are no older messages. */
export interface FolderPart {
  readonly folder: Pick<Folder, "id" | "key" | "path">;
  readonly uidValidity: number;
  readonly messages: ReadonlyArray<MessageSummary>;
  readonly next: Cursor | undefined;
}

/** Returns the newest messages of a folder below its cursor; null if the folder is gone, or the account may not read it. */
export const readPart = Effect.fnUntraced(
  function* (
    { reader, mailboxes }: PartPorts,
    account: AccountId,
    { folder, known, cursor }: FolderToRead,
    limit: number,
  ): Effect.fn.Return<FolderPart | null, PartError | FolderNotFound | FolderNotSelectable, Scope.Scope> {
    const { id: folderId, key, path } = folder;
    const view = yield* reader.view(account, path, cursor === undefined ? { count: limit } : undefined);
    const { uidValidity } = view;
    if (cursor !== undefined && (cursor.key !== key || cursor.uidValidity !== uidValidity)) {
      return yield* new CursorStale();
    }
    if (known !== null && known.cursor.uidValidity !== uidValidity) return yield* new ListingNotReady();
    const top = cursor === undefined ? view.total : cursor.position - 1;
    const { messages, position } = yield* collect(view, top, cursor?.uid ?? Infinity, limit);
    const uids = messages.map(({ uid }) => uid);
    if (known !== null && uids.some((uid) => uid < known.seenFrom)) return yield* new ListingNotReady();
    // While a change is held, the cursor does not move, but later arrivals are recorded and announced.
    const later = known === null ? [] : uids.filter((uid) => uid >= known.cursor.uidNext);
    const seen = later.length === 0 ? NONE : yield* mailboxes.findSeen(account, key, later);
    const lowest = uids.at(-1);
    return {
      folder,
      uidValidity,
      messages: messages.filter(({ uid }) => known === null || uid < known.cursor.uidNext || seen.has(uid)),
      next: position === 1 || lowest === undefined ? undefined : { folderId, key, uidValidity, uid: lowest, position },
    };
  },
  Effect.scoped,
  Effect.catchTag(["FolderNotFound", "FolderNotSelectable"], () => Effect.succeed(null)),
  Effect.catchIf(
    (error) => error._tag === "MailServerError" && error.reason === "not_permitted",
    () => Effect.succeed(null),
  ),
);

const NONE: ReadonlyMap<number, unknown> = new Map();
