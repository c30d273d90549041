import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { t } from "../../texts/text.ts";

export interface NewLabelProps {
  readonly onName: (label: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a label. The mail server keeps a label as long as a message has it. */
export default function NewLabel({ onName, onClose }: NewLabelProps) {
  const [name, setName] = useState("");
  const [wasTried, setTried] = useState(false);
  const submit = (): boolean => {
    setTried(true);
    if (name.trim() === "") return false;
    onName(name.trim());
    onClose();
    return true;
  };
  return (
    <Popup title={t("New label")} isOpen onClose={onClose}>
      <FormWithFaults className="form" onSubmit={submit} error={null}>
        <Field
          label={t("Name")}
          value={name}
          onChange={setName}
          isRequired
          autoFocus
          fault={wasTried && name.trim() === "" ? t("Enter a name.") : undefined}
        />
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary">
            {t("Add label")}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
}
