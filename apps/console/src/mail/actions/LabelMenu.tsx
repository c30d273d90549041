import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { Menu, MenuItem, MenuSection } from "react-aria-components";
import { Check } from "../../ui/icons/icons.tsx";
import { Tag } from "../../ui/icons/Tag.tsx";
import { lazyPage } from "../../shell/lazy-page.tsx";
import { hasLabel, labelsQuery, setLabel } from "./labels.ts";
import type { Target } from "./message-actions.ts";
import { type MenuAnchor, ToolMenu } from "./ToolMenu.tsx";
import { t } from "../../texts/text.ts";

const NewLabel = lazyPage("NewLabel", () => import("./NewLabel.tsx"));

export interface LabelMenuProps {
  readonly name: string;
  readonly targets: ReadonlyArray<Target>;
  readonly at: MenuAnchor | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The menu that adds labels to messages and removes them. */
export const LabelMenu = ({ name, targets, at, isOpen, onOpenChange }: LabelMenuProps) => {
  const [isNamed, setNamed] = useState(false);
  const known = useQuery({ ...labelsQuery, enabled: isOpen, staleTime: 0 }).data ?? [];
  const own = targets.flatMap(({ labels = [] }) => labels).filter((label) => !known.includes(label));
  const labels = [...known, ...new Set(own)];
  const isOnAll = (label: string): boolean => targets.every((target) => hasLabel(target, label));
  return (
    <>
      <ToolMenu name={name} icon={<Tag size={18} aria-hidden />} at={at} isOpen={isOpen} onOpenChange={onOpenChange}>
        <Menu aria-label={t("Labels")}>
          {labels.length > 0 && (
            <MenuSection
              aria-label={t("Labels of the mailbox")}
              selectionMode="multiple"
              selectedKeys={labels.filter(isOnAll)}
              onSelectionChange={(keys) => {
                const chosen = new Set(keys as Iterable<string>);
                const changed = labels.find((label) => chosen.has(label) !== isOnAll(label));
                if (changed !== undefined) void setLabel(targets, changed, chosen.has(changed));
              }}
            >
              {labels.map((label) => (
                <MenuItem key={label} id={label} className="option" textValue={label}>
                  <span className="menu-tick">{isOnAll(label) && <Check size={16} aria-hidden />}</span>
                  <span dir="auto">{label}</span>
                </MenuItem>
              ))}
            </MenuSection>
          )}
          <MenuSection aria-label={t("More labels")}>
            <MenuItem
              className="option"
              onAction={() => {
                onOpenChange(false);
                setNamed(true);
              }}
            >
              {t("New label…")}
            </MenuItem>
          </MenuSection>
        </Menu>
      </ToolMenu>
      {isNamed && (
        <Suspense>
          <NewLabel onName={(label) => void setLabel(targets, label, true)} onClose={() => setNamed(false)} />
        </Suspense>
      )}
    </>
  );
};
