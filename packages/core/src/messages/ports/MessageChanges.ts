import { Context, type Effect } from "effect";
import { foldLabel, type FolderNotFound, type MailboxAccessError, type MessageSummary } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import type { LabelsNotSupported, MessageNotFound } from "../errors.ts";
import type { MessagePlace } from "./MessageReader.ts";

/** A mailbox and its UIDVALIDITY, for UIDs of its messages. */
export type MailboxPlace = Omit<MessagePlace, "uid">;

/** The flags to set; undefined flags stay as they are. */
export interface FlagChange {
  readonly unread?: boolean | undefined;
  readonly flagged?: boolean | undefined;
  readonly answered?: boolean | undefined;
  /** Labels to add, and labels to remove afterwards; case does not matter. */
  readonly addLabels?: ReadonlyArray<string> | undefined;
  readonly removeLabels?: ReadonlyArray<string> | undefined;
}

/** Returns a message with its flags changed. */
export const applyFlagChange = (message: MessageSummary, change: FlagChange): MessageSummary => ({
  ...message,
  unread: change.unread ?? message.unread,
  flagged: change.flagged ?? message.flagged,
  answered: change.answered ?? message.answered,
  labels: changeLabels(message.labels, change),
});

/** Returns the labels after a change, in the order of `labelsOf`; an existing label keeps its spelling. */
const changeLabels = (labels: ReadonlyArray<string>, { addLabels = [], removeLabels = [] }: FlagChange) => {
  if (addLabels.length === 0 && removeLabels.length === 0) return labels;
  const all = new Map([...addLabels, ...labels].map((label) => [foldLabel(label), label]));
  for (const label of removeLabels) all.delete(foldLabel(label));
  return [...all.values()].sort();
};

/** A moved message and its new location; null if the server does not report the location. */
export interface MovedMessage {
  readonly uid: number;
  readonly to: { readonly uidValidity: number; readonly uid: number } | null;
}

type ChangeError = MailboxAccessError | MessageNotFound;

/**
 * Changes messages of one mailbox, at most 1,000 per call (spec 5). Each operation skips messages that are gone and
 * returns the others. Fails with `MessageNotFound` if the mailbox is gone or was recreated.
 */
export class MessageChanges extends Context.Service<
  MessageChanges,
  {
    /** Changes flags and labels. Fails with `LabelsNotSupported`, and changes nothing, if the mailbox cannot store the labels. */
    readonly setFlags: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
      change: FlagChange,
    ) => Effect.Effect<ReadonlySet<number>, ChangeError | LabelsNotSupported>;
    /** Sets flags of one message, and returns the changed message. */
    readonly flag: (
      account: AccountId,
      place: MessagePlace,
      change: FlagChange,
    ) => Effect.Effect<MessageSummary, ChangeError | LabelsNotSupported>;
    /** Moves messages with their flags and arrival times. Fails with `FolderNotFound` if the target does not exist. */
    readonly move: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
      to: string,
    ) => Effect.Effect<ReadonlyArray<MovedMessage>, ChangeError | FolderNotFound>;
    /** Deletes messages permanently. */
    readonly destroy: (
      account: AccountId,
      mailbox: MailboxPlace,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlySet<number>, ChangeError>;
  }
>()("@postern/core/messages/ports/MessageChanges") {}
