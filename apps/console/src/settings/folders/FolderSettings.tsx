import { rich, t } from "../../texts/text.ts";
import { FolderPlus } from "../../ui/icons/icons.tsx";
import { useEffect, useState } from "react";
import { folderName, folderTree, useFolders } from "../../shell/folders.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { FolderForm } from "../../shell/FolderForm.tsx";
import { FolderRemoval } from "../../shell/FolderRemoval.tsx";
import { useManagedFolders } from "../../shell/managed-folders.ts";

type Open = { readonly what: "new" } | { readonly what: "change" | "remove"; readonly id: string } | null;

/** The account's own folders, to create, rename, move and delete (spec 4). */
export const FolderSettings = () => {
  const managed = useManagedFolders();
  const folders = useFolders();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  useEffect(() => {
    document.title = `${t("Folders")} · Postern`;
  }, []);

  const own = new Map(managed.data?.map((folder) => [folder.id, folder]));
  const tree = folderTree(folders.data ?? []).filter(({ folder }) => own.has(folder.id));
  const chosen = open === null || open.what === "new" ? undefined : own.get(open.id);
  return (
    <>
      <header className="page-head">
        <h1>{t("Folders")}</h1>
        <Button look="primary" icon={<FolderPlus size={17} aria-hidden />} onPress={() => setOpen({ what: "new" })}>
          {t("New folder")}
        </Button>
      </header>
      <p className="intro">
        {t("Folders that you created. Special folders such as Inbox and Sent cannot be changed.")}
      </p>
      {managed.isPending || folders.isPending ? (
        <Bones rows={4} label={t("Loading the folders")} />
      ) : managed.isError || folders.isError ? (
        <Failed
          error={managed.error ?? folders.error}
          onRetry={() => Promise.all([managed.refetch(), folders.refetch()])}
        />
      ) : tree.length === 0 ? (
        <Empty title={t("No folders yet")} />
      ) : (
        <ul className="lines">
          {tree.map(({ folder }) => (
            <li key={folder.id} className="line">
              <div className="line-main">
                <p className="line-name">
                  <bdi>{folderName(folder)}</bdi>
                </p>
                <p className="soft small">
                  {folder.path === folder.name
                    ? t("{count, plural, one {# message} other {# messages}}", {
                        count: own.get(folder.id)!.messageCount,
                      })
                    : rich("<path></path>, {count, plural, one {# message} other {# messages}}", {
                        path: () => <bdi>{folder.path}</bdi>,
                        count: own.get(folder.id)!.messageCount,
                      })}
                </p>
              </div>
              <div className="buttons">
                <Button
                  aria-label={t("Rename or move {folder}", { folder: folder.name })}
                  onPress={() => setOpen({ what: "change", id: folder.id })}
                >
                  {t("Rename or move")}
                </Button>
                <Button
                  look="danger"
                  aria-label={t("Delete {folder}", { folder: folder.name })}
                  onPress={() => setOpen({ what: "remove", id: folder.id })}
                >
                  {t("Delete")}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {open !== null && open.what !== "remove" && <FolderForm folder={chosen ?? null} onClose={close} />}
      {open?.what === "remove" && chosen !== undefined && <FolderRemoval folder={chosen} onClose={close} />}
    </>
  );
};
