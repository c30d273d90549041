import { type ReactNode, useState } from "react";
import { t } from "../../texts/text.ts";
import { Button } from "../Button.tsx";
import { ErrorAlert } from "../ErrorAlert.tsx";
import { Field } from "../forms/Field.tsx";
import { FormWithFaults } from "../forms/FormWithFaults.tsx";
import { Popup } from "./Popup.tsx";

export interface TypedQuestionProps {
  readonly title: string;
  /** The address to type. */
  readonly address: string;
  readonly yes: string;
  /** The action's request; its error is shown. */
  readonly action: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for the address of an account before all its data is erased. */
export const TypedQuestion = ({ title, address, yes, action, onClose, children }: TypedQuestionProps) => {
  const [typed, setTyped] = useState("");
  const [wasTried, setTried] = useState(false);
  const isSame = typed.trim().toLowerCase() === address.toLowerCase();
  const submit = (): boolean => {
    setTried(true);
    if (isSame) action.mutate();
    return isSame;
  };
  return (
    <Popup title={title} isOpen onClose={onClose} role="alertdialog">
      {children}
      <FormWithFaults className="form" onSubmit={submit} error={action.error}>
        <Field
          label={t("Type {address} to confirm", { address })}
          value={typed}
          onChange={setTyped}
          isRequired
          autoFocus
          inputProps={{ spellCheck: false, autoComplete: "off", autoCapitalize: "none" }}
          fault={wasTried && !isSame ? t("This is not the address of the account.") : undefined}
        />
        {action.error !== null && <ErrorAlert error={action.error} />}
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="danger" isPending={action.isPending}>
            {yes}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
