import { queries } from "../../api/client.ts";
import { takeWaitingActions } from "../../kept/waiting-actions.ts";
import { errorText } from "../../ui/error-text.ts";
import { expectUndo, showProgress, toast } from "../../ui/toast.ts";
import type { BatchAction } from "./batch-queue.ts";
import { type BatchOutcome, inBatches } from "./batches.ts";
import type { Email } from "../emails/emails.ts";
import type { Folder } from "../../shell/folders.ts";
import { flagListed, takeOut } from "../emails/listed-changes.ts";
import type { Message } from "../emails/message.ts";
import type { Flags } from "../emails/pending-changes.ts";
import { subjectOf } from "../emails/people.ts";
import { readAgain, readAgainWhenQuiet, whileUnderWay } from "../emails/reading-again.ts";
import { forgetFaults, tellInRows } from "./row-faults.ts";

/** A message to act on. Without its folder, a move of it cannot be undone. */
export type Target = Pick<Email, "id"> & Partial<Pick<Email, "folder" | "subject" | "labels">>;

export interface Place {
  readonly id: string;
  readonly name: string;
}

/** From this number of messages on, progress is shown. */
const PROGRESS_FROM = 500;

/** Acts on messages whose change is already shown. */
export const act = async (
  targets: ReadonlyArray<Target>,
  action: BatchAction,
  doing: string,
): Promise<BatchOutcome> => {
  const ids = targets.map(({ id }) => id);
  forgetFaults(ids);
  const progress = ids.length < PROGRESS_FROM ? undefined : showProgress(doing, ids.length);
  return whileUnderWay(() => inBatches(ids, action, progress?.update)).finally(() => progress?.end());
};

/** Shows which messages were not changed: a toast for all, and a mark in each row that is still listed. */
export const tell = (what: string, targets: ReadonlyArray<Target>, { missing, failed, error }: BatchOutcome): void => {
  if (failed.length > 0) {
    const told = `${what} failed: ${errorText(error)}`;
    toast(
      targets.length === 1 ? told : `${told} ${failed.length} of ${targets.length} messages are marked in the list.`,
    );
    tellInRows(failed, told);
  }
  if (missing.length > 0) {
    const names = targets
      .filter(({ id }) => missing.includes(id))
      .map(({ subject = "" }) => `“${subjectOf({ subject })}”`);
    const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
    toast(`${what} failed: ${names.slice(0, 3).join(", ")}${more} no longer there.`);
  }
};

/** Sets flags of messages, in every list and in the open message. Returns the messages that were changed. */
export const mark = async (targets: ReadonlyArray<Target>, flags: Flags): Promise<ReadonlyArray<Target>> => {
  const settle = flagListed(new Set(targets.map(({ id }) => id)), flags);
  for (const { id } of targets) {
    queries.setQueryData<Message>(["message", id], (message) => message && { ...message, ...flags });
  }
  const outcome = await act(targets, { change: flags }, "Marking");
  tell("Marking", targets, outcome);
  readAgainWhenQuiet(settle);
  if (outcome.failed.length > 0) {
    void queries.invalidateQueries({ queryKey: ["message"] });
    await readAgain();
  }
  return targets.filter(({ id }) => outcome.done.has(id));
};

/** Marks messages as read, with Undo in the toast. */
export const markRead = async (targets: ReadonlyArray<Target>): Promise<void> => {
  const changed = await mark(targets, { unread: false });
  if (changed.length > 0) toast(`${counted(changed)} marked as read.`, () => void mark(changed, { unread: true }));
};

/** Moves messages to a folder, which may still be in creation, with Undo in the toast. */
export const move = (targets: ReadonlyArray<Target>, to: Place | Promise<Place>): Promise<void> =>
  takeAway(targets, "Moving", async () => {
    const { id, name } = await to;
    return { action: { change: { folderId: id } }, done: `moved to ${name}` };
  });

/** Moves messages to Trash. */
export const remove = (targets: ReadonlyArray<Target>): Promise<void> =>
  takeAway(targets, "Deleting", async () => ({ action: { delete: "trash" }, done: "moved to Trash" }));

/** Deletes messages permanently. */
export const destroy = (targets: ReadonlyArray<Target>): Promise<void> =>
  takeAway(targets, "Deleting", async () => ({ action: { delete: "permanent" }, done: "deleted permanently" }));

/** Repeats the actions that waited for the network when the page was closed. */
export const resumeActions = async (account: string): Promise<void> => {
  const waited = (await takeWaitingActions(account)) as ReadonlyArray<{
    ids: ReadonlyArray<string>;
    action: BatchAction;
  }>;
  const outcomes = await Promise.all(waited.map(({ ids, action }) => whileUnderWay(() => inBatches(ids, action))));
  for (const outcome of outcomes) {
    forgetPlaces(outcome);
    tell("An action that waited for the network", [], outcome);
  }
  if (outcomes.length > 0) await readAgain();
};

interface Taking {
  readonly action: BatchAction;
  /** The text of the completed action, for the toast. */
  readonly done: string;
}

/** Removes messages from all lists at once, and then acts on them. */
const takeAway = async (
  targets: ReadonlyArray<Target>,
  what: string,
  prepare: () => Promise<Taking>,
): Promise<void> => {
  const ids = targets.map(({ id }) => id);
  const putBack = takeOut(new Set(ids));
  const settleUndo = expectUndo();
  const { action, done } = await prepare().catch((error: unknown) => ({ action: null, done: errorText(error) }));
  if (action === null) {
    putBack(ids);
    settleUndo();
    toast(`The folder could not be created: ${done}`);
    return readAgain();
  }
  const outcome = await act(targets, action, what);
  forgetPlaces(outcome);
  putBack(outcome.failed);
  const gone = targets.filter(({ id }) => outcome.done.has(id));
  const subject = targets.length === 1 ? "" : `${counted(gone)} `;
  settleUndo(undoOf(gone, outcome), gone.length === 0 ? null : sentence(`${subject}${done}.`));
  tell(what, targets, outcome);
  if (outcome.done.size === targets.length) readAgainWhenQuiet();
  else await readAgain();
};

/** Forgets moved messages that were read: they keep their ids, but not their folder. */
const forgetPlaces = ({ done }: BatchOutcome): void => {
  for (const id of done.keys()) queries.removeQueries({ queryKey: ["message", id] });
};

/** Returns the undo of a move; none if new ids or earlier folders are unknown. */
const undoOf = (gone: ReadonlyArray<Target>, { done }: BatchOutcome): (() => void) | undefined => {
  const folders = queries.getQueryData<ReadonlyArray<Folder>>(["folders"]) ?? [];
  const byFolder = Map.groupBy(
    gone.filter(({ id }) => done.get(id) != null),
    ({ folder }) => folders.find(({ path }) => path === folder)?.id,
  );
  byFolder.delete(undefined);
  if (byFolder.size === 0) return undefined;
  return () => {
    for (const [folderId, some] of byFolder) {
      void moveBack(
        some.map((target) => ({ ...target, id: done.get(target.id)! })),
        folderId!,
      );
    }
  };
};

const moveBack = async (targets: ReadonlyArray<Target>, folderId: string): Promise<void> => {
  const outcome = await act(targets, { change: { folderId } }, "Moving back");
  forgetPlaces(outcome);
  tell("Moving back", targets, outcome);
  await readAgain();
};

const counted = ({ length }: ReadonlyArray<unknown>): string => (length === 1 ? "1 message" : `${length} messages`);

const sentence = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
