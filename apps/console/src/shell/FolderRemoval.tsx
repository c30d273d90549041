import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { folderName, folderTree, useFolders } from "./folders.ts";
import { Button } from "../ui/Button.tsx";
import { Check } from "../ui/forms/Check.tsx";
import { Choice } from "../ui/forms/Choice.tsx";
import { Popup } from "../ui/popups/Popup.tsx";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { toast } from "../ui/toast.ts";
import { foldersChanged, type ManagedFolder } from "./managed-folders.ts";

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
      await foldersChanged();
      toast(
        data.movedTo === null
          ? `Folder ${folder.name} deleted.`
          : `Folder ${folder.name} deleted, ${data.movedCount} messages moved.`,
      );
      onClose();
    },
  });

  return (
    <Popup title={`Delete folder ${folder.name}?`} isOpen onClose={onClose} role="alertdialog">
      <Choice
        label={`Move its ${folder.messageCount} messages to`}
        value={destination}
        onChange={setDestination}
        options={[
          { id: TRASH, name: "Trash" },
          ...tree
            .filter(
              ({ folder: one }) => one.selectable && one.id !== folder.id && one.role !== "trash" && !inIt.has(one.id),
            )
            .map(({ folder: one }) => ({ id: one.id, name: one.role === null ? one.path : folderName(one) })),
          { id: NOWHERE, name: "Do not move: delete permanently" },
        ]}
      />
      {inIt.size > 0 && (
        <Check isSelected={withThoseInIt} onChange={setWithThoseInIt}>
          Also delete its {inIt.size} {inIt.size === 1 ? "subfolder" : "subfolders"}
        </Check>
      )}
      {destination === NOWHERE && <p className="notice warn">This cannot be undone.</p>}
      {remove.isError && <ErrorAlert error={remove.error} />}
      <div className="buttons end">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="danger"
          isPending={remove.isPending}
          isDisabled={inIt.size > 0 && !withThoseInIt}
          onPress={() => remove.mutate()}
        >
          Delete {folder.name}
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
