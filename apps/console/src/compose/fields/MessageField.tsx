import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import type { Draft } from "../draft/draft.ts";
import { plainText } from "../text/plain-text.ts";
import { htmlOf } from "../text/rich-text.ts";
import { RichText, type RichTextProps } from "../text/RichText.tsx";
import { safeFragment } from "../text/safe-html.ts";
import { setWritesRich } from "../text/writing-settings.ts";
import { t } from "../../texts/text.ts";

export interface MessageFieldProps extends Pick<RichTextProps, "autoFocus" | "onPicture" | "onFile"> {
  readonly draft: Draft;
  /** A number that changes when code outside the field replaces the text. */
  readonly revision: number;
  readonly fault: string | undefined;
  readonly onChange: (written: Pick<Draft, "html" | "text">) => void;
}

/** The field for the text of a message, with formatting or plain. The browser remembers the choice. */
export const MessageField = ({ draft, revision, fault, onChange, autoFocus, ...heard }: MessageFieldProps) => {
  const [hasToggled, setToggled] = useState(false);
  const toggle = (isRich: boolean): void => {
    setWritesRich(isRich);
    setToggled(true);
    onChange(
      isRich
        ? { html: htmlOf(draft.text), text: draft.text }
        : { html: null, text: plainText(safeFragment(draft.html ?? "")) },
    );
  };
  if (draft.html !== null) {
    return (
      <div className="field">
        <span className="label" aria-hidden>
          {t("Message")}
        </span>
        <RichText
          key={revision}
          html={draft.html}
          autoFocus={autoFocus || hasToggled}
          onChange={onChange}
          onPlain={() => toggle(false)}
          uploadOf={(cid) => draft.files.find(({ contentId }) => contentId === cid)?.uploaded?.id}
          {...heard}
        />
        {fault !== undefined && <p className="fault">{fault}</p>}
      </div>
    );
  }
  return (
    <div className="plain-text">
      <Field
        label={t("Message")}
        value={draft.text}
        onChange={(text) => onChange({ text, html: null })}
        autoFocus={autoFocus || hasToggled}
        rows={14}
        fault={fault}
      />
      <Button look="quiet" className="to-rich" onPress={() => toggle(true)}>
        {t("Formatting")}
      </Button>
    </div>
  );
};
