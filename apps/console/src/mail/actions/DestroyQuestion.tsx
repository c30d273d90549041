import { Question } from "../../ui/popups/Question.tsx";
import { subjectOf } from "../emails/people.ts";
import type { Target } from "./message-actions.ts";
import { rich, t } from "../../texts/text.ts";

export interface DestroyQuestionProps {
  readonly asked: ReadonlyArray<Target & { readonly subject?: string }>;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks the user to confirm that messages are deleted permanently. */
export const DestroyQuestion = ({ asked, onYes, onNo }: DestroyQuestionProps) => (
  <Question
    title={t("{count, plural, one {Delete this message permanently?} other {Delete # messages permanently?}}", {
      count: asked.length,
    })}
    yes={t("Delete permanently")}
    no={t("Cancel")}
    onYes={onYes}
    onNo={onNo}
  >
    <p>
      {asked.length === 1
        ? rich("<strong>{subject}</strong> cannot be restored.", {
            subject: subjectOf({ subject: asked[0]?.subject ?? "" }),
            strong: (subject) => <strong dir="auto">{subject}</strong>,
          })
        : t("They cannot be restored.")}
    </p>
  </Question>
);
