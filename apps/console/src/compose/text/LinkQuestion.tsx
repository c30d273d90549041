import { useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { t } from "../../texts/text.ts";

export interface LinkQuestionProps {
  readonly onLink: (url: string) => void;
  readonly onClose: () => void;
}

/** Returns the URL of a typed link, with `https` if it has no scheme; null if it is not a URL. */
const linkOf = (typed: string): string | null => {
  const text = typed.trim();
  const url = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : text.includes("@") ? `mailto:${text}` : `https://${text}`;
  if (!URL.canParse(url) || /\s/.test(text) || text === "") return null;
  return ["http:", "https:", "mailto:", "tel:"].includes(new URL(url).protocol) ? url : null;
};

/** Asks for the URL of a link. */
export const LinkQuestion = ({ onLink, onClose }: LinkQuestionProps) => {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const link = (): void => {
    const url = linkOf(typed);
    setWrong(url === null);
    if (url !== null) onLink(url);
  };
  return createPortal(
    <Popup title={t("Link")} isOpen onClose={onClose} isForm>
      <Field
        label={t("Address")}
        value={typed}
        onChange={setTyped}
        autoFocus
        fault={isWrong ? t("Enter the address of a page, such as example.com.") : undefined}
        onKeyDown={(event) => {
          if (event.key === "Enter") link();
        }}
      />
      <div className="buttons end">
        <Button onPress={onClose}>{t("Cancel")}</Button>
        <Button look="primary" onPress={link}>
          {t("Insert link")}
        </Button>
      </div>
    </Popup>,
    document.body,
  );
};
