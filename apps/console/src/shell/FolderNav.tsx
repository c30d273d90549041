import { useRoute } from "wouter";
import { t } from "../texts/text.ts";
import { Button } from "../ui/Button.tsx";
import { useCollapsedFolders } from "./collapsed-folders.ts";
import { FolderItem } from "./FolderItem.tsx";
import { folderTree, useFolders, withoutCollapsed } from "./folders.ts";

/** The folders with their unread counts. */
export const FolderNav = ({ onChosen }: { readonly onChosen?: () => void }) => {
  const folders = useFolders();
  const collapsed = useCollapsedFolders();
  const [, params] = useRoute("/mail/:folder/*?");
  if (folders.isPending) {
    return (
      <ul className="rail-list" aria-hidden>
        {Array.from({ length: 7 }, (_, row) => (
          <li key={row} className="rail-branch">
            <span className="rail-item">
              <span className="bone">{"—".repeat(6)}</span>
            </span>
          </li>
        ))}
      </ul>
    );
  }
  if (folders.isError) {
    return (
      <div className="rail-fault">
        <p>{t("The folders could not be loaded.")}</p>
        <Button onPress={() => void folders.refetch()}>{t("Try again")}</Button>
      </div>
    );
  }
  const parents = new Set(folders.data.map(({ parentId }) => parentId));
  return (
    <ul className="rail-list">
      {withoutCollapsed(folderTree(folders.data), collapsed).map((branch) => (
        <FolderItem
          key={branch.folder.id}
          branch={branch}
          isHere={branch.folder.id === params?.folder}
          isCollapsed={parents.has(branch.folder.id) ? collapsed.has(branch.folder.id) : undefined}
          {...(onChosen === undefined ? {} : { onChosen })}
        />
      ))}
    </ul>
  );
};
