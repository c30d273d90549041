import { rich, t } from "../texts/text.ts";
import { Empty } from "../ui/Empty.tsx";

/** Shown in place of a message while none is open. */
export const NoneSelected = () => (
  <Empty title={t("No message selected")}>
    <p>
      {rich("<kbd>j</kbd> and <kbd>k</kbd> select the next and previous message, <kbd>?</kbd> shows all shortcuts.", {
        kbd: (key) => <kbd>{key}</kbd>,
      })}
    </p>
  </Empty>
);
