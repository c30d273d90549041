import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { type Folder, folderName } from "../../shell/folders.ts";
import { destroy, type Target } from "./message-actions.ts";
import { useReadAll } from "./whole-lists.ts";
import { t } from "../../texts/text.ts";

export interface EmptyFolderButtonProps {
  readonly folder: Folder;
  readonly onGone: (targets: ReadonlyArray<Target>) => void;
}

/**
 * Deletes all messages of Trash or Junk permanently, after a confirmation. Messages that arrive in the meantime stay.
 */
export const EmptyFolderButton = ({ folder, onGone }: EmptyFolderButtonProps) => {
  const [isAsked, setAsked] = useState(false);
  const whole = useReadAll({ folder: folder.id, filter: "all" });
  const name = folderName(folder);
  const empty = async (): Promise<void> => {
    const all = await whole.start();
    if (all.length === 0) return;
    onGone(all);
    await destroy(all);
  };
  return (
    <>
      <Button isPending={whole.read !== null} onPress={() => setAsked(true)}>
        {whole.read === null
          ? t("Empty {folder}", { folder: name })
          : t("Reading {read, number} of {total, number}", { read: whole.read, total: folder.totalCount })}
      </Button>
      {isAsked && (
        <Question
          title={t("Empty {folder}?", { folder: name })}
          yes={t("{count, plural, one {Delete # message} other {Delete # messages}}", { count: folder.totalCount })}
          no={t("Cancel")}
          onYes={() => {
            setAsked(false);
            void empty();
          }}
          onNo={() => setAsked(false)}
        >
          <p>{t("The messages are deleted permanently. They cannot be restored.")}</p>
        </Question>
      )}
    </>
  );
};
