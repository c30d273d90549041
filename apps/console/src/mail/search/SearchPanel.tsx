import { useState } from "react";
import { folderName, useFolders } from "../../shell/folders.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/forms/Check.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { fieldsOf, type SearchFields, writeFields } from "./search-fields.ts";
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
    <Popup title="Search options" isOpen isForm onClose={onClose} wide>
      <form
        className="search-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(writeFields(fields));
        }}
      >
        <div className="search-fields">
          {text("from", "From")}
          {text("to", "To")}
          {text("subject", "Subject")}
          {text("words", "Has the words")}
          {text("without", "Does not have")}
          {text("label", "Label")}
          {day("after", "Arrived on or after")}
          {day("before", "Arrived before")}
          <Choice
            label="Folder"
            value={named?.id ?? ""}
            options={[
              { id: "", name: "All folders" },
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
            With attachments
          </Check>
          <Check isSelected={fields.isUnread} onChange={(isUnread) => change({ isUnread })}>
            Unread
          </Check>
          <Check isSelected={fields.isFlagged} onChange={(isFlagged) => change({ isFlagged })}>
            Flagged
          </Check>
        </div>
        <div className="buttons end">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Search
          </Button>
        </div>
      </form>
    </Popup>
  );
}
