import { FolderForm } from "./FolderForm.tsx";
import { FolderRemoval } from "./FolderRemoval.tsx";
import { useManagedFolders } from "./managed-folders.ts";

export interface FolderDialogProps {
  readonly what: "change" | "remove";
  readonly id: string;
  readonly onClose: () => void;
}

/** Asks how to change a folder of the rail, or for the destination of its messages. */
export default function FolderDialog({ what, id, onClose }: FolderDialogProps) {
  const folder = useManagedFolders().data?.find((one) => one.id === id);
  if (folder === undefined) return null;
  return what === "change" ? (
    <FolderForm folder={folder} onClose={onClose} />
  ) : (
    <FolderRemoval folder={folder} onClose={onClose} />
  );
}
