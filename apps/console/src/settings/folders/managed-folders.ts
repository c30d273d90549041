import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { api, queries } from "../../api/client.ts";

export type ManagedFolder = ApiAnswer<"GET /api/settings/folders">["data"][number];

export const useManagedFolders = () =>
  useQuery({
    queryKey: ["managed-folders"],
    queryFn: async ({ signal }) => (await api("GET /api/settings/folders", { signal })).data,
  });

/** Refetches all lists of folders after one was created, renamed or deleted. */
export const foldersChanged = (): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["managed-folders"] }),
    queries.invalidateQueries({ queryKey: ["folders"] }),
    queries.invalidateQueries({ queryKey: ["emails"] }),
  ]);
