import { Context, Effect, Layer, Option } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { FolderRecords, Folders } from "../folders/index.ts";
import { type AccountId, type MessageRef, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { MessageNotFound } from "./errors.ts";
import { MovedMessages } from "./ports/MovedMessages.ts";
import type { MessagePlace } from "./ports/MessageReader.ts";

/** A located message with its current id. */
export interface LocatedMessage {
  readonly id: string;
  readonly ref: MessageRef;
  readonly place: MessagePlace;
}

/** Located messages by the requested ids; ids that the account does not have are missing. */
export type LocatedMessages = ReadonlyMap<string, LocatedMessage>;

/** How many consecutive moves an id is followed through. */
const MAX_MOVES = 16;

/** Finds messages by id (spec 5). */
export class MessageLocator extends Context.Service<
  MessageLocator,
  {
    /** Locates messages by their ids and the stored folders, without asking the mail server. */
    readonly locateStored: (
      account: AccountId,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<LocatedMessages, StoreUnavailable>;
    /** Locates messages by a current listing of the folders and the recorded moves. */
    readonly locateCurrent: (
      account: AccountId,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<LocatedMessages, MailboxAccessError>;
    /** Runs `use` with a message at its stored location; if the message is no longer there, runs it at its current location. */
    readonly withMessage: <A, E, R>(
      account: AccountId,
      id: string,
      use: (message: LocatedMessage) => Effect.Effect<A, E | MessageNotFound, R>,
    ) => Effect.Effect<A, E | MailboxAccessError | MessageNotFound, R>;
  }
>()("@postern/core/messages/MessageLocator") {
  static readonly layer = Layer.effect(
    MessageLocator,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const records = yield* FolderRecords;
      const ids = yield* OpaqueIds;
      const moved = yield* MovedMessages;

      const locate = Effect.fnUntraced(function* (
        account: AccountId,
        wanted: ReadonlyArray<string>,
        whereNow: (ref: MessageRef) => Effect.Effect<MessageRef, StoreUnavailable>,
      ) {
        const paths = new Map([["inbox", "INBOX"]]);
        for (const { id, path, uidValidity } of yield* records.load(account)) {
          if (uidValidity !== null) paths.set(id, path);
        }
        const folderIds = [...paths.keys()];
        const found = new Map<string, LocatedMessage>();
        for (const id of wanted) {
          const named = ids.messageRef(account, id, folderIds);
          if (Option.isNone(named)) continue;
          const ref = yield* whereNow(named.value);
          const path = paths.get(ref.folderId);
          if (path === undefined) continue;
          const { folderId, uidValidity, uid } = ref;
          const now = ids.messageIds(account, folderId, uidValidity, [uid])[0]!;
          found.set(id, { id: now, ref, place: { path, uidValidity, uid } });
        }
        return found;
      });

      const follow = (account: AccountId) =>
        Effect.fnUntraced(function* (ref: MessageRef) {
          let at = ref;
          for (let moves = 0; moves < MAX_MOVES; moves++) {
            const next = yield* moved.find(account, at);
            if (Option.isNone(next)) break;
            at = next.value;
          }
          return at;
        });

      const locateStored = (account: AccountId, wanted: ReadonlyArray<string>) =>
        locate(account, wanted, Effect.succeed);

      const locateCurrent = (account: AccountId, wanted: ReadonlyArray<string>) =>
        Effect.andThen(folders.list(account), locate(account, wanted, follow(account)));

      const withMessage = <A, E, R>(
        account: AccountId,
        id: string,
        use: (message: LocatedMessage) => Effect.Effect<A, E | MessageNotFound, R>,
      ): Effect.Effect<A, E | MailboxAccessError | MessageNotFound, R> =>
        Effect.gen(function* () {
          const first = (yield* locateStored(account, [id])).get(id);
          if (first !== undefined) {
            const used = yield* Effect.result(use(first));
            if (used._tag === "Success") return used.success;
            if (!(used.failure instanceof MessageNotFound)) return yield* Effect.fail(used.failure);
          }
          const now = (yield* locateCurrent(account, [id])).get(id);
          if (now === undefined || (now.id === first?.id && now.place.path === first.place.path)) {
            return yield* new MessageNotFound();
          }
          return yield* use(now);
        });

      return MessageLocator.of({ locateStored, locateCurrent, withMessage });
    }),
  );
}
