import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";

export interface PopupProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly role?: "dialog" | "alertdialog";
  readonly wide?: boolean;
  /** Whether the dialog contains a form, in which case a press outside does not close it. */
  readonly isForm?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page. Escape closes it; a press outside does too, unless it asks a question or contains a form. */
export const Popup = ({
  title,
  isOpen,
  onClose,
  role = "dialog",
  wide = false,
  isForm = false,
  children,
}: PopupProps) => (
  <ModalOverlay
    className="curtain"
    isOpen={isOpen}
    onOpenChange={(open) => open || onClose()}
    isDismissable={role === "dialog" && !isForm}
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
