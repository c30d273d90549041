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
import { firstNames, subjectOf } from "../emails/people.ts";
import { refetchMail, refetchMailWhenQuiet, runAction } from "../emails/refetch-mail.ts";
import { forgetFaults, tellInRows } from "./row-faults.ts";
import { t } from "../../texts/text.ts";

/** A message to act on. A move can be undone only if the folder is known. */
export type Target = Pick<Email, "id"> & Partial<Pick<Email, "folder" | "subject" | "labels">>;

export interface Place {
  readonly id: string;
  readonly name: string;
}

/** The names of actions; `resume` is an action that waited for the network. */
export type Doing = "label" | "mark" | "move" | "moveBack" | "delete" | "resume";

/** The number of messages from which progress is shown. */
const PROGRESS_FROM = 500;

/** Acts on messages whose change is already shown. */
export const act = async (targets: ReadonlyArray<Target>, action: BatchAction, doing: Doing): Promise<BatchOutcome> => {
  const ids = targets.map(({ id }) => id);
  forgetFaults(ids);
  const progress = ids.length < PROGRESS_FROM ? undefined : showProgress(progressText(doing), ids.length);
  return runAction(() => inBatches(ids, action, progress?.update)).finally(() => progress?.end());
};

const progressText = (doing: Doing): string =>
  t(
    "{doing, select, label {Labelling} mark {Marking} move {Moving} moveBack {Moving back} delete {Deleting} other {An action that waited for the network}}",
    { doing },
  );

/** Returns the text that an action failed, with the reason. */
export const failureText = (doing: Doing, error: unknown): string =>
  t(
    "{doing, select, label {Labelling failed} mark {Marking failed} move {Moving failed} moveBack {Moving back failed} delete {Deleting failed} other {An action that waited for the network failed}}: {error}",
    { doing, error: errorText(error) },
  );

/** Shows which messages were not changed: one toast, and a mark in each row that is still listed. */
export const showOutcome = (
  doing: Doing,
  targets: ReadonlyArray<Target>,
  { missing, failed, error }: BatchOutcome,
): void => {
  if (failed.length > 0) {
    const told = failureText(doing, error);
    toast(
      targets.length === 1
        ? told
        : `${told} ${t(
            "{failed, number} of {count, plural, one {# message} other {# messages}} are marked in the list.",
            { failed: failed.length, count: targets.length },
          )}`,
    );
    tellInRows(failed, told);
  }
  if (missing.length > 0) {
    const names = targets
      .filter(({ id }) => missing.includes(id))
      .map(({ subject = "" }) => t("“{subject}”", { subject: subjectOf({ subject }) }));
    // After a reload only the ids of the messages are known.
    const named =
      doing === "resume"
        ? t("{count, plural, one {# message} other {# messages}}", { count: missing.length })
        : firstNames(names);
    toast(
      t(
        "{doing, select, label {Labelling failed} mark {Marking failed} move {Moving failed} moveBack {Moving back failed} delete {Deleting failed} other {An action that waited for the network failed}}: {names} no longer there.",
        { doing, names: named },
      ),
    );
  }
};

/** Sets flags of messages, in every list and in the open message. Returns the messages that were changed. */
export const mark = async (targets: ReadonlyArray<Target>, flags: Flags): Promise<ReadonlyArray<Target>> => {
  const settle = flagListed(new Set(targets.map(({ id }) => id)), flags);
  for (const { id } of targets) {
    queries.setQueryData<Message>(["message", id], (message) => message && { ...message, ...flags });
  }
  const outcome = await act(targets, { change: flags }, "mark");
  showOutcome("mark", targets, outcome);
  refetchMailWhenQuiet(settle);
  if (outcome.failed.length > 0) {
    void queries.invalidateQueries({ queryKey: ["message"] });
    await refetchMail();
  }
  return targets.filter(({ id }) => outcome.done.has(id));
};

/** Marks messages as read, with Undo in the toast. */
export const markRead = async (targets: ReadonlyArray<Target>): Promise<void> => {
  const changed = await mark(targets, { unread: false });
  if (changed.length === 0) return;
  toast(
    t("{count, plural, one {# message} other {# messages}} marked as read.", { count: changed.length }),
    () => void mark(changed, { unread: true }),
  );
};

/** Moves messages to a folder, which may still be being created, with Undo in the toast. */
export const move = (targets: ReadonlyArray<Target>, to: Place | Promise<Place>): Promise<void> =>
  takeAway(targets, "move", async () => {
    const { id, name: folder } = await to;
    return {
      action: { change: { folderId: id } },
      done: (count) =>
        count === null
          ? t("Moved to {folder}.", { folder })
          : t("{count, plural, one {# message} other {# messages}} moved to {folder}.", { count, folder }),
    };
  });

/** Moves messages to Trash. */
export const remove = (targets: ReadonlyArray<Target>): Promise<void> =>
  takeAway(targets, "delete", async () => ({
    action: { delete: "trash" },
    done: (count) =>
      count === null
        ? t("Moved to Trash.")
        : t("{count, plural, one {# message} other {# messages}} moved to Trash.", { count }),
  }));

/** Deletes messages permanently. */
export const destroy = (targets: ReadonlyArray<Target>): Promise<void> =>
  takeAway(targets, "delete", async () => ({
    action: { delete: "permanent" },
    done: (count) =>
      count === null
        ? t("Deleted permanently.")
        : t("{count, plural, one {# message} other {# messages}} deleted permanently.", { count }),
  }));

/** Repeats the actions that waited for the network when the page was closed. */
export const resumeActions = async (account: string): Promise<void> => {
  const waited = (await takeWaitingActions(account)) as ReadonlyArray<{
    ids: ReadonlyArray<string>;
    action: BatchAction;
  }>;
  const outcomes = await Promise.all(waited.map(({ ids, action }) => runAction(() => inBatches(ids, action))));
  for (const [n, outcome] of outcomes.entries()) {
    forgetPlaces(outcome);
    showOutcome(
      "resume",
      waited[n]!.ids.map((id) => ({ id })),
      outcome,
    );
  }
  if (outcomes.length > 0) await refetchMail();
};

interface Taking {
  readonly action: BatchAction;
  /** Returns the text of the completed action, for the toast; `count` is null for an action on a single message. */
  readonly done: (count: number | null) => string;
}

/** Removes messages from all lists at once, then acts on them. */
const takeAway = async (
  targets: ReadonlyArray<Target>,
  doing: Doing,
  prepare: () => Promise<Taking>,
): Promise<void> => {
  const ids = targets.map(({ id }) => id);
  const putBack = takeOut(new Set(ids));
  const settleUndo = expectUndo();
  const taking = await prepare().catch((error: unknown) => ({ error }));
  if ("error" in taking) {
    putBack(ids);
    settleUndo();
    toast(t("The folder could not be created: {error}", { error: errorText(taking.error) }));
    return refetchMail();
  }
  const outcome = await act(targets, taking.action, doing);
  forgetPlaces(outcome);
  putBack(outcome.failed);
  const gone = targets.filter(({ id }) => outcome.done.has(id));
  const count = targets.length === 1 ? null : gone.length;
  settleUndo(undoOf(gone, outcome), gone.length === 0 ? null : taking.done(count));
  showOutcome(doing, targets, outcome);
  if (outcome.done.size === targets.length) refetchMailWhenQuiet();
  else await refetchMail();
};

/** Drops the cached copies of moved messages, which keep their ids but not their folder. */
const forgetPlaces = ({ done }: BatchOutcome): void => {
  for (const id of done.keys()) queries.removeQueries({ queryKey: ["message", id] });
};

/** Returns the function that undoes a move; undefined if new ids or earlier folders are unknown. */
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
  const outcome = await act(targets, { change: { folderId } }, "moveBack");
  forgetPlaces(outcome);
  showOutcome("moveBack", targets, outcome);
  await refetchMail();
};
