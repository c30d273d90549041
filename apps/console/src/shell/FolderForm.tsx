import { ApiProblem } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../texts/text.ts";
import { api } from "../api/client.ts";
import { folderTree, useFolders } from "./folders.ts";
import { Button } from "../ui/Button.tsx";
import { Choice } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormWithFaults } from "../ui/forms/FormWithFaults.tsx";
import { Popup } from "../ui/popups/Popup.tsx";
import { errorText, faultOf, titleOf } from "../ui/error-text.ts";
import { toast } from "../ui/toast.ts";
import { refetchFolders, type ManagedFolder } from "./managed-folders.ts";

const TOP = "(top)";

/** Creates a folder, or renames or moves the given one. */
export const FolderForm = ({
  folder,
  onClose,
}: {
  readonly folder: ManagedFolder | null;
  readonly onClose: () => void;
}) => {
  const [name, setName] = useState(folder?.name ?? "");
  const [parent, setParent] = useState(folder?.parentId ?? TOP);
  const tree = folderTree(useFolders().data ?? []);
  const [wasTried, setTried] = useState(false);
  const parentId = parent === TOP ? null : parent;

  const save = useMutation({
    mutationFn: async () => {
      if (folder === null) return api("POST /api/settings/folders", { payload: { name, parentId } });
      const change = {
        ...(name === folder.name ? {} : { name }),
        ...(parentId === folder.parentId ? {} : { parentId }),
      };
      if (Object.keys(change).length === 0) return null;
      return api("PATCH /api/settings/folders/:id", { params: { id: folder.id }, payload: change });
    },
    onSuccess: async (answer) => {
      await refetchFolders();
      if (answer !== null) toast(t(folder === null ? "Folder {name} created." : "Folder {name} saved.", { name }));
      onClose();
    },
  });
  const problem = save.error instanceof ApiProblem ? save.error : null;
  const isUnnamed = wasTried && name === "";
  const nameFault = isUnnamed
    ? t("Enter a name.")
    : problem?.status === 409
      ? titleOf(problem)
      : faultOf(save.error, "name");
  const submit = (): boolean => {
    setTried(true);
    if (name !== "") save.mutate();
    return name !== "";
  };
  const otherFault = save.error !== null && nameFault === undefined ? errorText(save.error) : null;

  return (
    <Popup
      title={folder === null ? t("New folder") : t("Rename or move {folder}", { folder: folder.name })}
      isOpen
      onClose={onClose}
      isForm
    >
      <FormWithFaults className="form" onSubmit={submit} error={save.error}>
        <Field label={t("Name")} value={name} onChange={setName} isRequired autoFocus fault={nameFault} />
        <Choice
          label={t("Parent folder")}
          value={parent}
          onChange={setParent}
          options={[
            { id: TOP, name: t("None (top level)") },
            ...tree
              .filter((branch) => branch.folder.id !== folder?.id)
              .map((branch) => ({ id: branch.folder.id, name: branch.folder.path })),
          ]}
        />
        {otherFault !== null && (
          <p className="notice bad" role="alert">
            {otherFault}
          </p>
        )}
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" isPending={save.isPending}>
            {t(folder === null ? "Create folder" : "Save")}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
