import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Popup } from "./Popup.tsx";

export interface QuestionProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** What the two buttons say: to go on, and to leave all as it is. */
  readonly yes: string;
  readonly no: string;
  /** Whether going on destroys something. */
  readonly destroys?: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before something is done that cannot be undone. The focus is on the way back. */
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
