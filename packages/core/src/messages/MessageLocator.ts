import { Array, Context, Effect, Layer, Option } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { type FolderRecord, FolderRecords, Folders } from "../folders/index.ts";
import { type AccountId, type IdScope, type MessageRef, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { IdScopes, type MailboxKey } from "../shared/neighbours.ts";
import { MovedMessages, OwnMoves } from "../watch/index.ts";
import { type FollowedMoves, type FoundFingerprints, followMoves, locationKey } from "../watch/neighbours.ts";
import { MessageNotFound } from "./errors.ts";
import type { MessagePlace } from "./ports/MessageReader.ts";

/** A located message with the id that listings show. */
export interface LocatedMessage {
  readonly id: string;
  /** The folder of the message; its mailbox in `ref` may have another name. */
  readonly folder: Pick<FolderRecord, "id" | "path">;
  readonly ref: MessageRef;
  readonly place: MessagePlace;
}

/** Located messages by the requested ids. Ids without a message are missing. */
export type LocatedMessages = ReadonlyMap<string, LocatedMessage>;

/** The maximum number of consecutive moves by which an id is followed, for moves recorded by an earlier release. */
const MAX_MOVES = 16;

/** Finds messages by id (spec 5). */
export class MessageLocator extends Context.Service<
  MessageLocator,
  {
    /** Locates messages from their ids, the recorded moves and the stored folders, without asking the mail server. */
    readonly locateStored: (
      account: AccountId,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<LocatedMessages, StoreUnavailable>;
    /** Locates messages from a current listing of the folders, and looks for messages whose moves have no known outcome. */
    readonly locateCurrent: (
      account: AccountId,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<LocatedMessages, MailboxAccessError>;
    /**
     * Runs `use` with a message at its stored location, or at its current location if the message is no longer at the
     * stored one.
     */
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
      const scopes = yield* IdScopes;
      const moved = yield* MovedMessages;
      const ownMoves = yield* OwnMoves;

      /** Returns the folders by the keys of their mailboxes. */
      const foldersOf = Effect.fnUntraced(function* (account: AccountId) {
        const known = new Map<MailboxKey, LocatedMessage["folder"]>([["inbox", { id: "inbox", path: "INBOX" }]]);
        for (const { id, key, path, uidValidity } of yield* records.load(account)) {
          if (uidValidity !== null) known.set(key, { id, path });
        }
        return known;
      });

      /** Returns the locations that ids encode. An id in a removed folder belongs to a message that was moved from there. */
      const decode = Effect.fnUntraced(function* (
        account: AccountId,
        scope: IdScope,
        wanted: ReadonlyArray<string>,
        keys: ReadonlyArray<MailboxKey>,
      ) {
        const refs = wanted.map((id) => Option.getOrUndefined(ids.messageRef(scope, id, keys)));
        if (!refs.includes(undefined)) return refs;
        const others = yield* moved.listFolders(account);
        return refs.map((ref, n) => ref ?? Option.getOrUndefined(ids.messageRef(scope, wanted[n]!, others)));
      });

      const located = (
        scope: IdScope,
        wanted: ReadonlyArray<string>,
        found: FollowedMoves["found"],
        known: ReadonlyMap<MailboxKey, LocatedMessage["folder"]>,
      ): LocatedMessages =>
        new Map(
          wanted.flatMap((asked, n) => {
            const one = found[n];
            const folder = one && known.get(one.now.folderId);
            if (one === undefined || folder === undefined) return [];
            const { uidValidity, uid } = one.now;
            const id = ids.messageIds(scope, one.id.folderId, one.id.uidValidity, [one.id.uid])[0]!;
            return [[asked, { id, folder, ref: one.now, place: { path: folder.path, uidValidity, uid } }] as const];
          }),
        );

      const locateStored = Effect.fnUntraced(function* (account: AccountId, wanted: ReadonlyArray<string>) {
        const scope = yield* scopes.of(account);
        const known = yield* foldersOf(account);
        const refs = yield* decode(account, scope, wanted, [...known.keys()]);
        return located(scope, wanted, (yield* followMoves(moved, account, refs, 1)).found, known);
      });

      const locateCurrent = Effect.fnUntraced(function* (account: AccountId, wanted: ReadonlyArray<string>) {
        yield* folders.list(account);
        const scope = yield* scopes.of(account);
        const known = yield* foldersOf(account);
        const refs = yield* decode(account, scope, wanted, [...known.keys()]);
        const { found, isMoving } = yield* followMoves(moved, account, refs, MAX_MOVES);
        if (!isMoving) return located(scope, wanted, found, known);
        yield* ownMoves.look(account, (key) => known.get(key)?.path);
        return located(scope, wanted, (yield* followMoves(moved, account, refs, MAX_MOVES)).found, known);
      });

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
          const isSame = now && first && locationKey(now.ref) === locationKey(first.ref);
          if (now === undefined || (isSame === true && now.place.path === first?.place.path)) {
            return yield* new MessageNotFound();
          }
          return yield* use(now);
        });

      return MessageLocator.of({ locateStored, locateCurrent, withMessage });
    }),
  );
}

/** The requested messages of one mailbox by id, and the data read of them. */
export interface StoredMessages {
  readonly some: ReadonlyArray<{ readonly asked: string; readonly message: LocatedMessage }>;
  readonly read: FoundFingerprints | undefined;
}

/** Groups messages by their mailboxes. */
export const groupByMailbox = (located: ReadonlyMap<string, LocatedMessage>): ReadonlyArray<StoredMessages> => {
  const known = [...located].map(([asked, message]) => ({ asked, message }));
  const groups = Array.groupBy(known, ({ message: { ref } }) => `${ref.uidValidity}/${ref.folderId}`);
  return Object.values(groups).map((some) => ({ some, read: undefined }));
};
