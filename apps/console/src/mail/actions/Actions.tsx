import { Archive, Flag, Inbox, Mail, MailOpen, OctagonAlert, Trash2 } from "../../ui/icons/icons.tsx";
import { type ReactNode, useRef, useState } from "react";
import { queries } from "../../api/client.ts";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/Button.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import type { Email } from "../emails/emails.ts";
import { type Folder, foldersQuery, folderTree, useFolders } from "../../shell/folders.ts";
import { DestroyQuestion } from "./DestroyQuestion.tsx";
import { LabelMenu } from "./LabelMenu.tsx";
import { destroy, mark, move, type Place, remove, type Target } from "./message-actions.ts";
import { MoveMenu } from "./MoveMenu.tsx";
import type { MenuAnchor, MoreAction } from "./ToolMenu.tsx";
import { useIsNarrow } from "./use-is-narrow.ts";
import { isMissing, placeWithRole } from "./special-folders.ts";
import { t } from "../../texts/text.ts";

export type ActionTarget = Target & Partial<Pick<Email, "flagged" | "unread">>;

export interface ActionsProps {
  readonly targets: ReadonlyArray<ActionTarget>;
  /** Whether the keys act on these messages. */
  readonly hasKeys: boolean;
  /** Returns whether the keys act at this moment; true by default. */
  readonly mayAct?: () => boolean;
  /** Called before messages leave the list, and before an open message is marked as unread. */
  readonly onGone: (targets: ReadonlyArray<Target>) => void;
  readonly onUnread?: () => void;
  /** Called before a key opens the menu of folders. */
  readonly onMenu?: () => void;
  /** The menu for narrow screens, and the button that opens it. The menu has the actions that have no button. */
  readonly more?: (actions: ReadonlyArray<MoreAction>, button: MenuAnchor) => ReactNode;
}

/** The actions on messages, as buttons and as keys. */
export const Actions = ({ targets, hasKeys, mayAct = always, onGone, onUnread, onMenu, more }: ActionsProps) => {
  const folders = useFolders().data ?? [];
  const [toArchive, offerArchive] = useState<ReadonlyArray<ActionTarget> | null>(null);
  const [isMoveOpen, setMoveOpen] = useState(false);
  const [isLabelOpen, setLabelOpen] = useState(false);
  // Another message may be open when the user answers the question.
  const [asked, ask] = useState<ReadonlyArray<ActionTarget> | null>(null);
  const here = folders.find(({ path }) => targets.every(({ folder }) => folder === path));
  const others = folderTree(folders).filter(({ folder }) => folder.selectable && folder.id !== here?.id);
  const [isInTrash, isInJunk] = [here?.role === "trash", here?.role === "junk"];
  const isFlagged = targets.every(({ flagged }) => flagged === true);
  const isUnread = targets.every(({ unread }) => unread === true);
  const count = targets.length;
  const moreButton = useRef<HTMLButtonElement>(null);
  const isNarrow = useIsNarrow() && more !== undefined;
  const menuAt = isNarrow ? moreButton : undefined;
  const names = {
    junk: t(
      isInJunk
        ? "{count, plural, one {Not junk} other {Not junk: # messages}}"
        : "{count, plural, one {Move to Junk} other {Move # messages to Junk}}",
      { count },
    ),
    move: t("{count, plural, one {Move to a folder} other {Move # messages to a folder}}", { count }),
    label: t("{count, plural, one {Label} other {Label # messages}}", { count }),
  };

  const take = (
    taken: ReadonlyArray<ActionTarget>,
    act: (taken: ReadonlyArray<ActionTarget>) => Promise<void>,
  ): void => {
    onGone(taken);
    void act(taken);
  };
  const moveTo = (to: Place) => {
    setMoveOpen(false);
    take(targets, (taken) => move(taken, to));
  };
  const archive = (taken: ReadonlyArray<ActionTarget>, all: ReadonlyArray<Folder>) => {
    if (isMissing(all, "archive")) offerArchive(taken);
    else take(taken, (some) => move(some, placeWithRole("archive")));
  };
  const moveToRole = (role: "archive" | "junk" | "inbox") => {
    if (here?.role === role) return;
    if (role === "archive" && folders.length === 0) {
      // No folder is created without a question, so the folders must be known first.
      void queries.ensureQueryData(foldersQuery).then(
        (all) => archive(targets, all),
        (error: unknown) => toast(errorText(error)),
      );
      return;
    }
    if (role === "archive") return archive(targets, folders);
    // The next key acts on the next message, even while the folder is created.
    take(targets, (taken) => move(taken, placeWithRole(role)));
  };
  const actions = {
    flag: () => void mark(targets, { flagged: !isFlagged }),
    read: () => void mark(targets, { unread: false }),
    unread: () => {
      onUnread?.();
      void mark(targets, { unread: true });
    },
    archive: () => moveToRole("archive"),
    junk: () => moveToRole(isInJunk ? "inbox" : "junk"),
    remove: () => (isInTrash ? ask(targets) : take(targets, remove)),
    openMenu: () => {
      onMenu?.();
      setMoveOpen(true);
    },
  };
  const ifAny = (act: () => void) => () => targets.length > 0 && mayAct() && act();
  useShortcuts(
    hasKeys
      ? {
          s: ifAny(actions.flag),
          m: ifAny(actions.unread),
          M: ifAny(actions.read),
          e: ifAny(actions.archive),
          "!": ifAny(actions.junk),
          "#": ifAny(actions.remove),
          Delete: ifAny(actions.remove),
          v: ifAny(actions.openMenu),
          l: ifAny(() => setLabelOpen(true)),
        }
      : {},
  );

  return (
    <>
      <Button
        look="quiet"
        className={isFlagged ? "flagged" : ""}
        label={t(
          isFlagged
            ? "{count, plural, one {Remove flag} other {Remove flag # messages}}"
            : "{count, plural, one {Flag} other {Flag # messages}}",
          { count },
        )}
        icon={<Flag size={18} fill={isFlagged ? "currentColor" : "none"} aria-hidden />}
        onPress={actions.flag}
      />
      {isUnread ? (
        <Button
          look="quiet"
          label={t("{count, plural, one {Mark as read} other {Mark # messages as read}}", { count })}
          icon={<MailOpen size={18} aria-hidden />}
          onPress={actions.read}
        />
      ) : (
        <Button
          look="quiet"
          label={t("{count, plural, one {Mark as unread} other {Mark # messages as unread}}", { count })}
          icon={<Mail size={18} aria-hidden />}
          onPress={actions.unread}
        />
      )}
      {here?.role !== "archive" && (
        <Button
          look="quiet"
          label={t("{count, plural, one {Archive} other {Archive # messages}}", { count })}
          icon={<Archive size={18} aria-hidden />}
          onPress={actions.archive}
        />
      )}
      {!isNarrow && (
        <Button
          look="quiet"
          label={names.junk}
          icon={isInJunk ? <Inbox size={18} aria-hidden /> : <OctagonAlert size={18} aria-hidden />}
          onPress={actions.junk}
        />
      )}
      {/* A menu that disappears with its message must not restore the focus, which belongs to the next message. */}
      <MoveMenu
        key={`move ${targets[0]?.id}`}
        name={names.move}
        folders={others}
        at={menuAt}
        isOpen={isMoveOpen}
        onOpenChange={setMoveOpen}
        onMove={moveTo}
      />
      <LabelMenu
        key={`label ${targets[0]?.id}`}
        name={names.label}
        targets={targets}
        at={menuAt}
        isOpen={isLabelOpen}
        onOpenChange={setLabelOpen}
      />
      <Button
        look="quiet"
        className="danger"
        label={t(
          isInTrash
            ? "{count, plural, one {Delete permanently} other {Delete # messages permanently}}"
            : "{count, plural, one {Delete} other {Delete # messages}}",
          { count },
        )}
        icon={<Trash2 size={18} aria-hidden />}
        onPress={actions.remove}
      />
      {more?.(
        isNarrow
          ? [
              { id: "move", name: names.move, act: () => setMoveOpen(true) },
              { id: "label", name: names.label, act: () => setLabelOpen(true) },
              { id: "junk", name: names.junk, act: actions.junk },
            ]
          : [],
        moreButton,
      )}
      {toArchive !== null && (
        <Question
          title={t("Create the folder Archive?")}
          yes={t("Create Archive")}
          no={t("Cancel")}
          destroys={false}
          onYes={() => {
            offerArchive(null);
            take(toArchive, (taken) => move(taken, placeWithRole("archive")));
          }}
          onNo={() => offerArchive(null)}
        >
          <p>
            {t("The mailbox has no folder for archived messages. The selected messages are moved to the new folder.")}
          </p>
        </Question>
      )}
      {asked !== null && (
        <DestroyQuestion
          asked={asked}
          onYes={() => {
            ask(null);
            take(asked, destroy);
          }}
          onNo={() => ask(null)}
        />
      )}
    </>
  );
};

const always = (): boolean => true;
