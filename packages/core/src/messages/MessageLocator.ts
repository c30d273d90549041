import { Context, Effect, Layer, Option } from "effect";
import type { MailboxAccessError } from "../auth/MailboxAccessError.ts";
import { Folders, type FolderLocation } from "../folders/Folders.ts";
import { FolderRecords } from "../folders/ports/FolderRecords.ts";
import type { AccountId } from "../shared/AccountId.ts";
import { type MessageRef, OpaqueIds } from "../shared/ports/OpaqueIds.ts";
import { MessageNotFound } from "./errors.ts";
import { MovedMessages } from "./ports/MovedMessages.ts";
import type { MessagePlace } from "./ports/MessageReader.ts";

/** A message's folder and place, and the id it has there. */
export interface LocatedMessage {
  readonly id: string;
  readonly ref: MessageRef;
  readonly place: MessagePlace;
}

type LocateError = MailboxAccessError | MessageNotFound;

/** Moves in a row that an id is followed through. */
const MOST_MOVES = 16;

/** Finds what the ids of messages stand for (decisions 5). */
export class MessageLocator extends Context.Service<
  MessageLocator,
  {
    /**
     * Does something with the message an id stands for. Where it is not at the place that is remembered, its folder may
     * have another name by now, or it was moved by us: it is looked for there before it counts as gone.
     */
    readonly at: <A, E, R>(
      account: AccountId,
      id: string,
      use: (message: LocatedMessage) => Effect.Effect<A, E | MessageNotFound, R>,
    ) => Effect.Effect<A, E | LocateError, R>;
    /** Where an id points, through every move of ours; none where it is of nobody here. Asks no mail server if it can. */
    readonly locate: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<Option.Option<LocatedMessage>, MailboxAccessError>;
  }
>()("@postern/core/messages/MessageLocator") {
  static readonly layer = Layer.effect(
    MessageLocator,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const records = yield* FolderRecords;
      const ids = yield* OpaqueIds;
      const moved = yield* MovedMessages;

      const refOf = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const known = (yield* records.load(account)).map((record) => record.id);
        const ref = ids.messageRef(account, id, known.includes("inbox") ? known : ["inbox", ...known]);
        return ref;
      });

      const followed = Effect.fnUntraced(function* (account: AccountId, ref: MessageRef) {
        let [at, isMoved] = [ref, false];
        for (let moves = 0; moves < MOST_MOVES; moves++) {
          const next = yield* moved.find(account, at);
          if (Option.isNone(next)) break;
          [at, isMoved] = [next.value, true];
        }
        return { at, isMoved };
      });

      const located = (
        account: AccountId,
        ref: MessageRef,
        { path }: Pick<FolderLocation, "path">,
      ): LocatedMessage => ({
        id: ids.messageIds(account, ref.folderId, ref.uidValidity, [ref.uid])[0]!,
        ref,
        place: { path, uidValidity: ref.uidValidity, uid: ref.uid },
      });

      const locate = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const ref = yield* refOf(account, id);
        if (Option.isNone(ref)) return Option.none();
        const { at } = yield* followed(account, ref.value);
        const folder = yield* folders.remembered(account, at.folderId);
        return Option.map(folder, (location) => located(account, at, location));
      });

      /** By what the server lists now. */
      const relocate = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const listed = yield* folders.list(account);
        const ref = yield* refOf(account, id);
        if (Option.isNone(ref)) return yield* new MessageNotFound();
        const { at } = yield* followed(account, ref.value);
        const folder = listed.find((folder) => folder.id === at.folderId && folder.selectable);
        return folder === undefined ? yield* new MessageNotFound() : located(account, at, folder);
      });

      return MessageLocator.of({
        locate,
        at: <A, E, R>(
          account: AccountId,
          id: string,
          use: (message: LocatedMessage) => Effect.Effect<A, E | MessageNotFound, R>,
        ): Effect.Effect<A, E | LocateError, R> =>
          Effect.gen(function* () {
            const first = yield* locate(account, id);
            if (Option.isSome(first)) {
              const used = yield* Effect.result(use(first.value));
              if (used._tag === "Success") return used.success;
              if (!(used.failure instanceof MessageNotFound)) return yield* Effect.fail(used.failure);
            }
            const again = yield* relocate(account, id);
            if (Option.isSome(first) && first.value.place.path === again.place.path)
              return yield* new MessageNotFound();
            return yield* use(again);
          }),
      });
    }),
  );
}
