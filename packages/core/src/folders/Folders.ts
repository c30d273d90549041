import { Context, Effect, Layer, Option } from "effect";
import type { FolderAmbiguous, FolderNotFound, MailboxAccessError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { Folder } from "./Folder.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import { FolderSync } from "./FolderSync.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";
import { meansInbox, resolveFolder } from "./resolve-folder.ts";

export type FolderLocation = Pick<FolderRecord, "id" | "path" | "uidValidity">;

const INBOX: FolderLocation = { id: "inbox", path: "INBOX", uidValidity: null };

/** Lists the folders of an account with their stable ids (spec 4.1). */
export class Folders extends Context.Service<
  Folders,
  {
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Folder>, MailboxAccessError>;
    /** Returns the folder of a `?folder=` value, by a current listing. */
    readonly resolve: (
      account: AccountId,
      wanted: string,
    ) => Effect.Effect<Folder, MailboxAccessError | FolderNotFound | FolderAmbiguous>;
    /**
     * Returns the stored location of an id or path without asking the server, which saves a listing per page. Valid
     * only while the mailbox has this UIDVALIDITY (any, if null).
     */
    readonly remembered: (
      account: AccountId,
      wanted: string,
    ) => Effect.Effect<Option.Option<FolderLocation>, StoreUnavailable>;
  }
>()("@postern/core/folders/Folders") {
  static readonly layer = Layer.effect(
    Folders,
    Effect.gen(function* () {
      const { sync } = yield* FolderSync;
      const records = yield* FolderRecords;

      const list = Effect.fn("Folders.list")(function* (account: AccountId) {
        return (yield* sync(account)).folders;
      });

      const resolve = Effect.fn("Folders.resolve")(function* (account: AccountId, wanted: string) {
        return yield* Effect.fromResult(resolveFolder(yield* list(account), wanted));
      });

      const remembered = Effect.fnUntraced(function* (account: AccountId, wanted: string) {
        if (meansInbox(wanted)) return Option.some(INBOX);
        const known = yield* records.load(account);
        const record = known.find(({ id }) => id === wanted) ?? known.find(({ path }) => path === wanted);
        return Option.filter(Option.fromUndefinedOr(record), ({ uidValidity }) => uidValidity !== null);
      });

      return Folders.of({ list, resolve, remembered });
    }),
  ).pipe(Layer.provide(FolderSync.layer));
}
