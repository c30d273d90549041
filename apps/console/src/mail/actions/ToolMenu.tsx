import type { ReactNode, RefObject } from "react";
import { Button as AriaButton, MenuTrigger, Popover } from "react-aria-components";

/** The button at which a menu opens that has no button of its own. */
export type MenuAnchor = RefObject<HTMLButtonElement | null>;

/** An action without a button. */
export interface MoreAction {
  readonly id: string;
  readonly name: string;
  readonly act: () => void;
}

export interface ToolMenuProps {
  readonly name: string;
  readonly icon: ReactNode;
  readonly at: MenuAnchor | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** The menu. */
  readonly children: ReactNode;
}

/** A menu of a toolbar, which opens at its own button or at another one. */
export const ToolMenu = ({ name, icon, at, isOpen, onOpenChange, children }: ToolMenuProps) =>
  at === undefined ? (
    <MenuTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      <AriaButton className="button quiet icon" aria-label={name}>
        {icon}
      </AriaButton>
      <Popover className="popover">{children}</Popover>
    </MenuTrigger>
  ) : (
    <Popover className="popover" triggerRef={at} isOpen={isOpen} onOpenChange={onOpenChange} placement="bottom end">
      {children}
    </Popover>
  );
