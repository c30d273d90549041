import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { AgentNotAllowed } from "../auth/index.ts";
import { ActingAgent, recordAgentChange } from "../auth/neighbours.ts";
import { LiveInboxes, MovedMessages, OwnMoves } from "../watch/index.ts";
import { FolderNotFound, FolderNotSelectable, type MailboxAccessError } from "../mail/index.ts";
import { Folders, MailboxChanges } from "../folders/index.ts";
import { ensureFolder } from "../folders/neighbours.ts";
import { type AccountId, type InputInvalid, inSlices, type StoreUnavailable } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { checkChange, checkLabels, checkMessage } from "./check-messages.ts";
import { type LabelInvalid, type LabelsNotSupported, MessageNotFound } from "./errors.ts";
import {
  type ActionOutcome,
  type ActionsDone,
  type ChangedMessage,
  hasFlags,
  type MessageAction,
} from "./MessageAction.ts";
import { groupByMailbox, MessageLocator, type StoredMessages } from "./MessageLocator.ts";
import { type FlagChange, applyFlagChange, MessageChanges } from "./ports/MessageChanges.ts";
import { MessageReader } from "./ports/MessageReader.ts";

/** How long a move without a known outcome is kept. */
const BEGUN_KEPT = Duration.days(90);

/** The maximum number of an account's recorded locations that messages left, and the number deleted in one transaction. */
const MAX_LEFT = 1_000_000;
const LEFT_AT_ONCE = 5_000;

type RemovalError = InputInvalid | MailboxAccessError | FolderNotFound | FolderNotSelectable;
type ActionError = RemovalError | AgentNotAllowed | LabelInvalid | LabelsNotSupported;

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
    /** Changes one message and returns it after the change. */
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
    /** Deletes recorded moves beyond their limits. The message ids from before such a move are then no longer found. */
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
        if (action._tag === "Trash") return yield* ensureFolder(folders, mailboxes, account, "trash");
        if (action._tag === "Destroy" || action.folderId === undefined) return undefined;
        const { folders: listed, records } = yield* folders.sync(account);
        const folder = listed.find(({ id }) => id === action.folderId);
        if (folder === undefined) return yield* new FolderNotFound();
        if ((folder.role === "sent" || folder.role === "drafts") && (yield* ActingAgent) !== null) {
          return yield* new AgentNotAllowed({ detail: "Sent and Drafts hold what the owner wrote: move it elsewhere" });
        }
        const uidNext = records[listed.indexOf(folder)]?.uidNext ?? null;
        return folder.selectable ? { ...folder, uidNext } : yield* new FolderNotSelectable();
      });

      /** Performs the action in one mailbox. Returns the present UIDs of the messages, without messages that are gone. */
      const inMailbox = Effect.fnUntraced(function* (
        account: AccountId,
        { some, read }: StoredMessages,
        action: MessageAction,
        to: Effect.Success<ReturnType<typeof destinationOf>>,
      ) {
        const { place: mailbox, ref } = some[0]!.message;
        const uids = some.map(({ message }) => message.ref.uid);
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
        if (to === undefined || to.key === ref.folderId) {
          return stay(present ?? (yield* changes.setFlags(account, mailbox, uids, {})));
        }
        const from = { folderId: ref.folderId, uidValidity: ref.uidValidity, path: mailbox.path };
        yield* ownMoves.begin(account, from, read ?? (yield* ownMoves.read(account, mailbox.path, uids)), to);
        const arrived = yield* changes.move(account, mailbox, uids, to.path);
        yield* ownMoves.settle(account, from, to.key, arrived);
        return new Map(arrived.map(({ uid, to: at }) => [uid, at === null ? null : at.uid]));
      });

      const performTo = Effect.fnUntraced(function* (
        account: AccountId,
        wanted: ReadonlyArray<string>,
        action: MessageAction,
        to: Effect.Success<ReturnType<typeof destinationOf>>,
        stored: ReadonlyArray<StoredMessages>,
      ) {
        const outcomes = new Map<string, ActionOutcome>();
        const uids = new Map<string, number | null>();
        let waiting: ReadonlyArray<string> = [...new Set(wanted)];
        // Tries the stored locations first, then looks up the remaining messages.
        for (const isStored of [true, false]) {
          if (waiting.length === 0) break;
          const groups = isStored ? stored : groupByMailbox(yield* locator.locateCurrent(account, waiting));
          for (const group of groups) {
            const now = yield* inMailbox(account, group, action, to).pipe(
              Effect.ensuring(Effect.sync(() => live.markChanged(account))),
              Effect.catchTag("MessageNotFound", () => Effect.succeed(new Map<number, number | null>())),
            );
            for (const { asked, message } of group.some) {
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

      /** Returns the messages at their stored locations. Reads those that will move, while the folders are listed. */
      const locate = Effect.fnUntraced(function* (
        account: AccountId,
        wanted: ReadonlyArray<string>,
        action: MessageAction,
      ) {
        const groups = groupByMailbox(yield* locator.locateStored(account, [...new Set(wanted)]));
        const moves = action._tag === "Trash" || (action._tag === "Change" && action.folderId !== undefined);
        if (!moves) return groups;
        return yield* Effect.forEach(groups, ({ some }) => {
          const uids = some.map(({ message }) => message.ref.uid);
          const read = ownMoves.read(account, some[0]!.message.place.path, uids);
          // A message whose read failed is read again before the move.
          return Effect.map(Effect.option(read), (found) => ({ some, read: Option.getOrUndefined(found) }));
        });
      });

      const perform = (account: AccountId, wanted: ReadonlyArray<string>, action: MessageAction) =>
        Effect.flatMap(
          Effect.all([locate(account, wanted, action), Effect.exit(destinationOf(account, action))], {
            concurrency: 2,
          }),
          ([stored, to]) => Effect.flatMap(to, (folder) => performTo(account, wanted, action, folder, stored)),
        );

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
        const record = action._tag === "Change" ? recordAgentChange : recordOperation;
        yield* record("messages.batch", { account, ids: wanted });
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
        const done = doneBy(yield* Effect.catchTag(removal, ["LabelsNotSupported", "AgentNotAllowed"], Effect.die));
        return done.outcomes[0]?.found === true ? done : yield* new MessageNotFound();
      });

      const shown = (account: AccountId, id: string) =>
        locator.withMessage(account, id, (located) =>
          Effect.map(Effect.scoped(reader.open(account, located.place)), ({ summary }) => ({
            id: located.id,
            message: summary,
            folder: located.folder,
          })),
        );

      const flag = (account: AccountId, id: string, flags: FlagChange) =>
        locator.withMessage(account, id, ({ id: now, place, folder }) =>
          changes.flag(account, place, flags).pipe(
            Effect.ensuring(Effect.sync(() => live.markChanged(account))),
            Effect.map((message) => ({ id: now, message, folder })),
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
        yield* recordAgentChange("messages.change", { account, target: id });
        if (folderId === undefined) return yield* flag(account, id, flags);
        const action = { _tag: "Change", flags, folderId } as const;
        // The message is read before the move, because its location may be unknown afterwards.
        const [before, stored, destination] = yield* Effect.all(
          [shown(account, id), locate(account, [id], action), Effect.exit(destinationOf(account, action))],
          { concurrency: 3 },
        );
        const { to, uids, outcomes } = yield* performTo(account, [id], action, yield* destination, stored);
        const [outcome] = outcomes;
        if (outcome?.found !== true) return yield* new MessageNotFound();
        if (to === undefined) return yield* shown(account, outcome.newId ?? id);
        const message = { ...applyFlagChange(before.message, flags), uid: uids.get(id) ?? null };
        return { id: outcome.newId, folder: to, message };
      });

      const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        inSlices(moved.removeOld(now - Duration.toMillis(BEGUN_KEPT), ROWS_AT_ONCE)),
      ).pipe(Effect.andThen(inSlices(moved.trim(MAX_LEFT, LEFT_AT_ONCE))), Effect.withSpan("MessageActions.sweep"));

      return MessageActions.of({ carryOut, change, remove, sweep });
    }),
  );
}
