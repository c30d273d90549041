import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";

export interface PopupProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly role?: "dialog" | "alertdialog";
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page; Escape and a press beside it close it. */
export const Popup = ({ title, isOpen, onClose, role = "dialog", wide = false, children }: PopupProps) => (
  <ModalOverlay
    className="curtain"
    isOpen={isOpen}
    onOpenChange={(open) => open || onClose()}
    isDismissable={role === "dialog"}
  >
    <Modal className={wide ? "dialog wide" : "dialog"}>
      <Dialog role={role}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
);
