import type { ReactNode } from "react";
import { Button } from "../Button.tsx";
import { Popup } from "./Popup.tsx";

export interface QuestionProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The labels of the two buttons: to continue, and to change nothing. */
  readonly yes: string;
  readonly no: string;
  /** Whether continuing destroys data. */
  readonly destroys?: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before an action that cannot be undone. The focus is on the button that changes nothing. */
export const Question = ({ title, children, yes, no, destroys = true, onYes, onNo }: QuestionProps) => (
  <Popup title={title} isOpen onClose={onNo} role="alertdialog">
    {children}
    <div className="buttons end">
      <Button autoFocus onPress={onNo}>
        {no}
      </Button>
      <Button look={destroys ? "danger" : "primary"} onPress={onYes}>
        {yes}
      </Button>
    </div>
  </Popup>
);
