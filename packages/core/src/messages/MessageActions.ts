import { Array, Clock, Context, Duration, Effect, Layer } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import type { Scope } from "../auth/neighbours.ts";
import { LiveInboxes, MovedMessages, OwnMoves } from "../watch/index.ts";
import { FolderNotFound, FolderNotSelectable, type MailboxAccessError, type MessageSummary } from "../mail/index.ts";
import { Folders, MailboxChanges } from "../folders/index.ts";
import { ensureTrash } from "../folders/neighbours.ts";
import { type AccountId, type InputInvalid, inSlices, type StoreUnavailable } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { checkChange, checkLabels, checkMessage } from "./check-messages.ts";
import { type LabelInvalid, type LabelsNotSupported, MessageNotFound } from "./errors.ts";
import { type LocatedMessage, MessageLocator } from "./MessageLocator.ts";
import { type FlagChange, applyFlagChange, MessageChanges } from "./ports/MessageChanges.ts";
import { MessageReader } from "./ports/MessageReader.ts";

/** An action on messages: change flags or folder, move to Trash, or delete permanently. */
export type MessageAction =
  | { readonly _tag: "Change"; readonly flags: FlagChange; readonly folderId?: string | undefined }
  | { readonly _tag: "Trash" }
  | { readonly _tag: "Destroy" };

/** Returns the scope that an action needs (spec 10.2); permanent deletion has its own scope. */
export const scopeOfAction = (tag: MessageAction["_tag"]): Scope =>
  tag === "Destroy" ? "mail:delete" : "mail:organize";

/** The outcome for one message; `newId`, the id that listings show, is null if it was deleted or its new place is unknown. */
export interface ActionOutcome {
  readonly id: string;
  readonly found: boolean;
  readonly newId: string | null;
}

export interface ActionsDone {
  /** The id of the folder that the messages were moved to; null if they were not moved. */
  readonly movedTo: string | null;
  readonly outcomes: ReadonlyArray<ActionOutcome>;
}

/** A message after a change; id and UID are null if it was moved and the server does not report its new UID. */
export interface ChangedMessage {
  readonly id: string | null;
  readonly folder: { readonly id: string; readonly path: string };
  readonly message: Omit<MessageSummary, "uid"> & { readonly uid: number | null };
}

/** How long a move without a known outcome is kept. */
const BEGUN_KEPT = Duration.days(90);

/** How many locations that messages left are kept of an account, and how many are deleted in one transaction. */
const MOST_LEFT = 1_000_000;
const LEFT_AT_ONCE = 5_000;

type RemovalError = InputInvalid | MailboxAccessError | FolderNotFound | FolderNotSelectable;

type ActionError = RemovalError | LabelInvalid | LabelsNotSupported;

/** Changes, moves and deletes messages (spec 5). */
export class MessageActions extends Context.Service<
  MessageActions,
  {
    /** Performs an action; returns outcomes in the given order, including messages that were not found. */
    readonly carryOut: (
      account: AccountId,
      ids: ReadonlyArray<string>,
      action: MessageAction,
    ) => Effect.Effect<ActionsDone, ActionError>;
    /** Changes one message and returns it as changed. */
    readonly change: (
      account: AccountId,
      id: string,
      flags: FlagChange,
      folderId: string | undefined,
    ) => Effect.Effect<ChangedMessage, ActionError | MessageNotFound>;
    /** Moves a message to Trash, or deletes it permanently. */
    readonly remove: (
      account: AccountId,
      id: string,
      isPermanent: boolean,
    ) => Effect.Effect<ActionsDone, RemovalError | MessageNotFound>;
    /** Deletes what exceeds the limits of recorded moves. Ids from before such a move are no longer found. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/messages/MessageActions") {
  static readonly layer = Layer.effect(
    MessageActions,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const locator = yield* MessageLocator;
      const changes = yield* MessageChanges;
      const reader = yield* MessageReader;
      const moved = yield* MovedMessages;
      const mailboxes = yield* MailboxChanges;
      const ownMoves = yield* OwnMoves;
      const live = yield* LiveInboxes;

      const destinationOf = Effect.fnUntraced(function* (account: AccountId, action: MessageAction) {
        if (action._tag === "Trash") return yield* ensureTrash(folders, mailboxes, account);
        if (action._tag === "Destroy" || action.folderId === undefined) return undefined;
        const wanted = action.folderId;
        const { folders: listed, records } = yield* folders.sync(account);
        const folder = listed.find(({ id }) => id === wanted);
        if (folder === undefined) return yield* new FolderNotFound();
        const uidNext = records[listed.indexOf(folder)]?.uidNext ?? null;
        return folder.selectable ? { ...folder, uidNext } : yield* new FolderNotSelectable();
      });

      /** Performs the action in one mailbox. Returns the UIDs that the messages have now, without messages that are gone. */
      const inMailbox = Effect.fnUntraced(function* (
        account: AccountId,
        messages: ReadonlyArray<LocatedMessage>,
        action: MessageAction,
        to: Effect.Success<ReturnType<typeof destinationOf>>,
      ) {
        const { place: mailbox, ref } = messages[0]!;
        const uids = messages.map(({ ref }) => ref.uid);
        const stay = (present: ReadonlySet<number>) => new Map([...present].map((uid) => [uid, uid] as const));
        if (action._tag === "Destroy") {
          const gone = yield* changes.destroy(account, mailbox, uids);
          return new Map([...gone].map((uid) => [uid, null] as const));
        }
        let present: ReadonlySet<number> | undefined;
        if (action._tag === "Change" && (hasFlags(action.flags) || to === undefined)) {
          present = yield* changes.setFlags(account, mailbox, uids, action.flags);
        }
        // A move within the same folder would only change the UID.
        if (to === undefined || to.id === ref.folderId) {
          return stay(present ?? (yield* changes.setFlags(account, mailbox, uids, {})));
        }
        const from = { folderId: ref.folderId, uidValidity: ref.uidValidity, path: mailbox.path };
        yield* ownMoves.begin(account, from, uids, to);
        const arrived = yield* changes.move(account, mailbox, uids, to.path);
        yield* ownMoves.settle(account, from, to.id, arrived);
        return new Map(arrived.map(({ uid, to: at }) => [uid, at === null ? null : at.uid]));
      });

      const performTo = Effect.fnUntraced(function* (
        account: AccountId,
        wanted: ReadonlyArray<string>,
        action: MessageAction,
        to: Effect.Success<ReturnType<typeof destinationOf>>,
      ) {
        const outcomes = new Map<string, ActionOutcome>();
        const uids = new Map<string, number | null>();
        let waiting: ReadonlyArray<string> = [...new Set(wanted)];
        // Tries the stored locations first, then looks up the remaining messages.
        for (const look of [locator.locateStored, locator.locateCurrent]) {
          if (waiting.length === 0) break;
          const located = yield* look(account, waiting);
          const known = [...located].map(([asked, message]) => ({ asked, message }));
          const byMailbox = Array.groupBy(known, ({ message: { ref } }) => `${ref.uidValidity}/${ref.folderId}`);
          for (const some of Object.values(byMailbox)) {
            const now = yield* inMailbox(
              account,
              some.map(({ message }) => message),
              action,
              to,
            ).pipe(
              Effect.ensuring(Effect.sync(() => live.markChanged(account))),
              Effect.catchTag("MessageNotFound", () => Effect.succeed(new Map<number, number | null>())),
            );
            for (const { asked, message } of some) {
              const uid = now.get(message.ref.uid);
              if (uid === undefined) continue;
              uids.set(asked, uid);
              outcomes.set(asked, { id: asked, found: true, newId: uid === null ? null : message.id });
            }
          }
          waiting = waiting.filter((id) => !outcomes.has(id));
        }
        return { to, uids, outcomes: wanted.map((id) => outcomes.get(id) ?? { id, found: false, newId: null }) };
      });

      const perform = (account: AccountId, wanted: ReadonlyArray<string>, action: MessageAction) =>
        Effect.flatMap(destinationOf(account, action), (to) => performTo(account, wanted, action, to));

      const doneBy = ({ to, outcomes }: Effect.Success<ReturnType<typeof perform>>): ActionsDone => ({
        movedTo: to?.id ?? null,
        outcomes,
      });

      const carryOut = Effect.fn("MessageActions.carryOut")(function* (
        account: AccountId,
        wanted: ReadonlyArray<string>,
        action: MessageAction,
      ) {
        if (wanted.length > 0) yield* checkMessage({ ids: wanted });
        if (action._tag === "Change") yield* checkLabels(action.flags);
        else yield* recordOperation("messages.batch", { account });
        return doneBy(yield* perform(account, wanted, action));
      });

      const remove = Effect.fn("MessageActions.remove")(function* (
        account: AccountId,
        id: string,
        isPermanent: boolean,
      ) {
        yield* checkMessage({ id });
        yield* recordOperation("messages.remove", { account, target: id });
        const removal = perform(account, [id], { _tag: isPermanent ? "Destroy" : "Trash" });
        const done = doneBy(yield* Effect.catchTag(removal, "LabelsNotSupported", Effect.die));
        return done.outcomes[0]?.found === true ? done : yield* new MessageNotFound();
      });

      const shown = (account: AccountId, id: string) =>
        locator.withMessage(account, id, (located) =>
          Effect.map(Effect.scoped(reader.open(account, located.place)), ({ summary }) => ({
            id: located.id,
            message: summary,
            folder: { id: located.ref.folderId, path: located.place.path },
          })),
        );

      const flag = (account: AccountId, id: string, flags: FlagChange) =>
        locator.withMessage(account, id, ({ id: now, place, ref: { folderId } }) =>
          changes.flag(account, place, flags).pipe(
            Effect.ensuring(Effect.sync(() => live.markChanged(account))),
            Effect.map((message) => ({ id: now, message, folder: { id: folderId, path: place.path } })),
          ),
        );

      const change = Effect.fn("MessageActions.change")(function* (
        account: AccountId,
        id: string,
        flags: FlagChange,
        folderId: string | undefined,
      ): Effect.fn.Return<ChangedMessage, ActionError | MessageNotFound> {
        yield* checkMessage({ id });
        const { unread, flagged, answered, addLabels, removeLabels } = flags;
        yield* checkChange({ unread, flagged, answered, addLabels, removeLabels, folderId });
        yield* checkLabels(flags);
        if (folderId === undefined) return yield* flag(account, id, flags);
        const action = { _tag: "Change", flags, folderId } as const;
        // The message is read before the move, because its location may be unknown afterwards.
        const [before, destination] = yield* Effect.all(
          [shown(account, id), Effect.exit(destinationOf(account, action))],
          { concurrency: 2 },
        );
        const { to, uids, outcomes } = yield* performTo(account, [id], action, yield* destination);
        const outcome = outcomes[0];
        if (outcome?.found !== true) return yield* new MessageNotFound();
        if (to === undefined) return yield* shown(account, outcome.newId ?? id);
        const message = { ...applyFlagChange(before.message, flags), uid: uids.get(id) ?? null };
        return { id: outcome.newId, folder: to, message };
      });

      const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        inSlices(moved.removeOld(now - Duration.toMillis(BEGUN_KEPT), ROWS_AT_ONCE)),
      ).pipe(Effect.andThen(inSlices(moved.trim(MOST_LEFT, LEFT_AT_ONCE))), Effect.withSpan("MessageActions.sweep"));

      return MessageActions.of({ carryOut, change, remove, sweep });
    }),
  );
}

const hasFlags = (flags: FlagChange): boolean => Object.values(flags).some((value) => value !== undefined);
