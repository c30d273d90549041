import { Array, Context, Effect, Layer, Option } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { FolderRecords, Folders } from "../folders/index.ts";
import { type AccountId, type IdScope, type MessageRef, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { IdScopes } from "../shared/neighbours.ts";
import { MovedMessages, OwnMoves } from "../watch/index.ts";
import { type FollowedMoves, type FoundFingerprints, followMoves, locationKey } from "../watch/neighbours.ts";
import { MessageNotFound } from "./errors.ts";
import type { MessagePlace } from "./ports/MessageReader.ts";

/** A located message with the id that listings show. */
export interface LocatedMessage {
  readonly id: string;
  readonly ref: MessageRef;
  readonly place: MessagePlace;
}

/** Located messages by the requested ids; ids that the account does not have are missing. */
export type LocatedMessages = ReadonlyMap<string, LocatedMessage>;

/** How many consecutive moves an id is followed through, if an earlier release recorded them. */
const MAX_MOVES = 16;

/** Finds messages by id (spec 5). */
export class MessageLocator extends Context.Service<
  MessageLocator,
  {
    /** Locates messages by their ids, the recorded moves and the stored folders, without asking the mail server. */
    readonly locateStored: (
      account: AccountId,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<LocatedMessages, StoreUnavailable>;
    /** Locates messages by a current listing of the folders, and looks for those whose moves have no known outcome. */
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
      const scopes = yield* IdScopes;
      const moved = yield* MovedMessages;
      const ownMoves = yield* OwnMoves;

      const pathsOf = Effect.fnUntraced(function* (account: AccountId) {
        const paths = new Map([["inbox", "INBOX"]]);
        for (const { id, path, uidValidity } of yield* records.load(account)) {
          if (uidValidity !== null) paths.set(id, path);
        }
        return paths;
      });

      /** Returns the locations that ids encode. An id of a removed folder names a message that was moved from there. */
      const decode = Effect.fnUntraced(function* (
        account: AccountId,
        scope: IdScope,
        wanted: ReadonlyArray<string>,
        folderIds: ReadonlyArray<string>,
      ) {
        const refs = wanted.map((id) => Option.getOrUndefined(ids.messageRef(scope, id, folderIds)));
        if (!refs.includes(undefined)) return refs;
        const others = yield* moved.listFolders(account);
        return refs.map((ref, n) => ref ?? Option.getOrUndefined(ids.messageRef(scope, wanted[n]!, others)));
      });

      const located = (
        scope: IdScope,
        wanted: ReadonlyArray<string>,
        found: FollowedMoves["found"],
        paths: ReadonlyMap<string, string>,
      ): LocatedMessages =>
        new Map(
          wanted.flatMap((asked, n) => {
            const one = found[n];
            const path = one && paths.get(one.now.folderId);
            if (one === undefined || path === undefined) return [];
            const { uidValidity, uid } = one.now;
            const id = ids.messageIds(scope, one.id.folderId, one.id.uidValidity, [one.id.uid])[0]!;
            return [[asked, { id, ref: one.now, place: { path, uidValidity, uid } }] as const];
          }),
        );

      const locateStored = Effect.fnUntraced(function* (account: AccountId, wanted: ReadonlyArray<string>) {
        const scope = yield* scopes.of(account);
        const paths = yield* pathsOf(account);
        const refs = yield* decode(account, scope, wanted, [...paths.keys()]);
        return located(scope, wanted, (yield* followMoves(moved, account, refs, 1)).found, paths);
      });

      const locateCurrent = Effect.fnUntraced(function* (account: AccountId, wanted: ReadonlyArray<string>) {
        yield* folders.list(account);
        const scope = yield* scopes.of(account);
        const paths = yield* pathsOf(account);
        const refs = yield* decode(account, scope, wanted, [...paths.keys()]);
        const { found, isMoving } = yield* followMoves(moved, account, refs, MAX_MOVES);
        if (!isMoving) return located(scope, wanted, found, paths);
        yield* ownMoves.look(account, (folderId) => paths.get(folderId));
        return located(scope, wanted, (yield* followMoves(moved, account, refs, MAX_MOVES)).found, paths);
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

/** Messages of one mailbox by the ids that were asked for, and what was read of them. */
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
