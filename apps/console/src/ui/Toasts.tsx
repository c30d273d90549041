import { t } from "../texts/text.ts";
import { X } from "./icons/icons.tsx";
import { Button } from "./Button.tsx";
import { dismiss, undo, useToasts } from "./toast.ts";

/** The toasts, in a live region at the foot of the page. */
export const Toasts = () => (
  <div className="toasts" role="status" aria-live="polite">
    {useToasts().map(({ id, text, undo: canUndo, isProgress = false }) => (
      <div key={id} className="toast">
        <span dir="auto">{text}</span>
        {canUndo !== undefined && (
          <Button look="quiet" onPress={() => undo(id)}>
            {t("Undo")}
          </Button>
        )}
        {!isProgress && (
          <Button look="quiet" label={t("Dismiss")} icon={<X size={16} aria-hidden />} onPress={() => dismiss(id)} />
        )}
      </div>
    ))}
  </div>
);
