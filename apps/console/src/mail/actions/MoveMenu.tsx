import { Menu, MenuItem } from "react-aria-components";
import { FolderInput } from "../../ui/icons/icons.tsx";
import { type FolderBranch, folderName } from "../../shell/folders.ts";
import type { Place } from "./message-actions.ts";
import { type MenuAnchor, ToolMenu } from "./ToolMenu.tsx";
import { t } from "../../texts/text.ts";

export interface MoveMenuProps {
  readonly name: string;
  readonly folders: ReadonlyArray<FolderBranch>;
  readonly at: MenuAnchor | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onMove: (to: Place) => void;
}

/** The menu that moves messages to a folder. */
export const MoveMenu = ({ name, folders, at, isOpen, onOpenChange, onMove }: MoveMenuProps) => (
  <ToolMenu
    name={name}
    icon={<FolderInput size={18} aria-hidden />}
    at={at}
    isOpen={isOpen}
    onOpenChange={onOpenChange}
  >
    <Menu
      aria-label={t("Folders")}
      onAction={(key) => {
        const to = folders.find(({ folder }) => folder.id === key)?.folder;
        if (to !== undefined) onMove({ id: to.id, name: folderName(to) });
      }}
    >
      {folders.map(({ folder, depth }) => (
        <MenuItem key={folder.id} id={folder.id} className="option" textValue={folderName(folder)}>
          <span data-depth={Math.min(depth, 4)} className="option-depth">
            <bdi>{folderName(folder)}</bdi>
          </span>
        </MenuItem>
      ))}
    </Menu>
  </ToolMenu>
);
