import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { t } from "../texts/text.ts";
import { api, queries } from "../api/client.ts";
import { errorText } from "../ui/error-text.ts";
import { toast } from "../ui/toast.ts";
import { type Folder, folderName, foldersQuery } from "./folders.ts";

export type ManagedFolder = ApiAnswer<"GET /api/settings/folders">["data"][number];

export const useManagedFolders = () =>
  useQuery({
    queryKey: ["managed-folders"],
    queryFn: async ({ signal }) => (await api("GET /api/settings/folders", { signal })).data,
  });

/** Refetches all lists of folders after a folder was created, renamed or deleted. */
export const refetchFolders = (): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["managed-folders"] }),
    queries.invalidateQueries({ queryKey: ["folders"] }),
    queries.invalidateQueries({ queryKey: ["emails"] }),
  ]);

/** Moves a folder into another one, and immediately shows it there. */
export const moveFolder = async (folder: Folder, to: Folder): Promise<void> => {
  queries.setQueryData(foldersQuery.queryKey, (folders) =>
    folders?.map((one) => (one.id === folder.id ? { ...one, parentId: to.id } : one)),
  );
  try {
    await api("PATCH /api/settings/folders/:id", { params: { id: folder.id }, payload: { parentId: to.id } });
    toast(t("Folder {folder} moved into {parent}.", { folder: folder.name, parent: folderName(to) }));
  } catch (error) {
    toast(t("Moving {folder} failed: {error}", { folder: folder.name, error: errorText(error) }));
  }
  await refetchFolders();
};
