import { useState } from "react";
import { folderName, useFolders } from "../../shell/folders.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/forms/Check.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { fieldsOf, type SearchFields, writeFields } from "./search-fields.ts";
import { t } from "../../texts/text.ts";
import "./search.css";

export interface SearchPanelProps {
  /** The search whose parts fill the fields. */
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onClose: () => void;
}

/** The parts of a search as a form. */
export default function SearchPanel({ search, onSearch, onClose }: SearchPanelProps) {
  const [fields, setFields] = useState(() => fieldsOf(search));
  const folders = (useFolders().data ?? []).filter(({ selectable }) => selectable);
  const change = (part: Partial<SearchFields>): void => setFields({ ...fields, ...part });
  const text = (name: "from" | "to" | "subject" | "words" | "without" | "label", label: string) => (
    <Field label={label} value={fields[name]} onChange={(value) => change({ [name]: value })} maxLength={200} />
  );
  const day = (name: "after" | "before", label: string) => (
    <Field
      label={label}
      value={fields[name]}
      onChange={(value) => change({ [name]: value })}
      inputProps={{ type: "date" }}
    />
  );
  const named = folders.find(({ role, path, id }) => [role, path, id].includes(fields.folder));
  return (
    <Popup title={t("Search options")} isOpen isForm onClose={onClose} wide>
      <form
        className="search-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(writeFields(fields));
        }}
      >
        <div className="search-fields">
          {text("from", t("From"))}
          {text("to", t("To"))}
          {text("subject", t("Subject"))}
          {text("words", t("Has the words"))}
          {text("without", t("Does not have"))}
          {text("label", t("Label [noun]"))}
          {day("after", t("Arrived on or after"))}
          {day("before", t("Arrived before"))}
          <Choice
            label={t("Folder")}
            value={named?.id ?? ""}
            options={[
              { id: "", name: t("All folders") },
              ...folders.map((folder) => ({ id: folder.id, name: folderName(folder) })),
            ]}
            onChange={(id) => {
              const folder = folders.find((one) => one.id === id);
              change({ folder: folder?.role ?? folder?.path ?? "" });
            }}
          />
        </div>
        <div className="search-checks">
          <Check isSelected={fields.hasAttachment} onChange={(hasAttachment) => change({ hasAttachment })}>
            {t("With attachments")}
          </Check>
          <Check isSelected={fields.isUnread} onChange={(isUnread) => change({ isUnread })}>
            {t("Unread [messages]")}
          </Check>
          <Check isSelected={fields.isFlagged} onChange={(isFlagged) => change({ isFlagged })}>
            {t("Flagged [messages]")}
          </Check>
        </div>
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary">
            {t("Search [button]")}
          </Button>
        </div>
      </form>
    </Popup>
  );
}
