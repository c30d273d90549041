import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../texts/text.ts";
import { api } from "../api/client.ts";
import { folderName, folderTree, useFolders } from "./folders.ts";
import { Button } from "../ui/Button.tsx";
import { Check } from "../ui/forms/Check.tsx";
import { Choice } from "../ui/forms/Choice.tsx";
import { Popup } from "../ui/popups/Popup.tsx";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { toast } from "../ui/toast.ts";
import { refetchFolders, type ManagedFolder } from "./managed-folders.ts";

const TRASH = "(trash)";
const NOWHERE = "(nowhere)";

/** Deletes a folder after asking for the destination of its messages (spec 4.6). */
export const FolderRemoval = ({
  folder,
  onClose,
}: {
  readonly folder: ManagedFolder;
  readonly onClose: () => void;
}) => {
  const [destination, setDestination] = useState(TRASH);
  const [withThoseInIt, setWithThoseInIt] = useState(false);
  const folders = useFolders().data ?? [];
  const tree = folderTree(folders);
  const inIt = descendants(folder.id, folders);

  const remove = useMutation({
    mutationFn: () =>
      api("DELETE /api/settings/folders/:id", {
        params: { id: folder.id },
        query: {
          ...(destination === NOWHERE ? { permanent: true } : {}),
          ...(destination === NOWHERE || destination === TRASH ? {} : { moveTo: destination }),
          ...(withThoseInIt ? { recursive: true } : {}),
        },
      }),
    onSuccess: async ({ data }) => {
      await refetchFolders();
      toast(
        data.movedTo === null
          ? t("Folder {folder} deleted.", { folder: folder.name })
          : t("Folder {folder} deleted, {count} messages moved.", { folder: folder.name, count: data.movedCount }),
      );
      onClose();
    },
  });

  return (
    <Popup title={t("Delete folder {folder}?", { folder: folder.name })} isOpen onClose={onClose} role="alertdialog">
      <Choice
        label={t("Move its {count} messages to", { count: folder.messageCount })}
        value={destination}
        onChange={setDestination}
        options={[
          { id: TRASH, name: t("Trash") },
          ...tree
            .filter(
              ({ folder: one }) => one.selectable && one.id !== folder.id && one.role !== "trash" && !inIt.has(one.id),
            )
            .map(({ folder: one }) => ({ id: one.id, name: one.role === null ? one.path : folderName(one) })),
          { id: NOWHERE, name: t("Do not move: delete permanently") },
        ]}
      />
      {inIt.size > 0 && (
        <Check isSelected={withThoseInIt} onChange={setWithThoseInIt}>
          {t("Also delete its {count, plural, one {# subfolder} other {# subfolders}}", { count: inIt.size })}
        </Check>
      )}
      {destination === NOWHERE && <p className="notice warn">{t("This cannot be undone.")}</p>}
      {remove.isError && <ErrorAlert error={remove.error} />}
      <div className="buttons end">
        <Button onPress={onClose}>{t("Cancel")}</Button>
        <Button
          look="danger"
          isPending={remove.isPending}
          isDisabled={inIt.size > 0 && !withThoseInIt}
          onPress={() => remove.mutate()}
        >
          {t("Delete {folder}", { folder: folder.name })}
        </Button>
      </div>
    </Popup>
  );
};

const descendants = (
  id: string,
  folders: ReadonlyArray<{ readonly id: string; readonly parentId: string | null }>,
): ReadonlySet<string> => {
  const found = folders.filter(({ parentId }) => parentId === id).map((child) => child.id);
  return new Set([...found, ...found.flatMap((child) => [...descendants(child, folders)])]);
};
