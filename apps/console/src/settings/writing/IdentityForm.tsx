import { ApiProblem } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../texts/text.ts";
import { faultOf } from "../../ui/error-text.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/forms/Check.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { toast } from "../../ui/toast.ts";
import { type Identity, readIdentitiesAgain } from "../../compose/fields/identities.ts";

export interface IdentityFormProps {
  /** The identity; null for a new one. */
  readonly identity: Identity | null;
  readonly onClose: () => void;
}

/** Adds a sender, or changes the name, Reply-To and signature of a sender. */
export const IdentityForm = ({ identity, onClose }: IdentityFormProps) => {
  const [name, setName] = useState(identity?.name ?? "");
  const [address, setAddress] = useState(identity?.address ?? "");
  const [replyTo, setReplyTo] = useState(identity?.replyTo ?? "");
  const [signature, setSignature] = useState(identity?.signatureText ?? "");
  const [isDefault, setDefault] = useState(identity?.isDefault ?? false);
  const [wasTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: async () => {
      const fields = {
        name: name.trim(),
        replyTo: replyTo.trim() === "" ? null : replyTo.trim(),
        signatureText: signature,
        // Another program may have written an HTML signature, which a changed text replaces.
        ...(signature === identity?.signatureText ? {} : { signatureHtml: "" }),
        ...(isDefault && identity?.isDefault !== true ? { isDefault: true } : {}),
      };
      const { data } =
        identity === null
          ? await api("POST /api/identities", { payload: { ...fields, address: address.trim() } })
          : await api("PATCH /api/identities/:id", { params: { id: identity.id }, payload: fields });
      return data;
    },
    onSuccess: async (saved) => {
      await readIdentitiesAgain();
      toast(
        saved.verified
          ? t("Sender saved.")
          : t("A mail with a link was sent to {address}.", { address: saved.address }),
      );
      onClose();
    },
  });
  const problem = save.error instanceof ApiProblem ? save.error : null;
  const isAddressMissing = wasTried && identity === null && address.trim() === "";
  const submit = (): boolean => {
    setTried(true);
    const isWhole = identity !== null || address.trim() !== "";
    if (isWhole) save.mutate();
    return isWhole;
  };
  return (
    <Popup
      title={identity === null ? t("Add sender") : t("Change {address}", { address: identity.address })}
      isOpen
      onClose={onClose}
      isForm
    >
      <FormWithFaults className="form" onSubmit={submit} error={save.error}>
        <Field label={t("Name")} value={name} onChange={setName} autoFocus fault={faultOf(save.error, "name")} />
        {identity === null && (
          <Field
            label={t("Address")}
            type="email"
            value={address}
            onChange={setAddress}
            isRequired
            hint={t("Postern mails a link to this address, to confirm that you read its mail.")}
            fault={isAddressMissing ? t("Enter an address.") : faultOf(save.error, "address")}
          />
        )}
        <Field
          label={t("Reply to")}
          type="email"
          value={replyTo}
          onChange={setReplyTo}
          hint={t("Where answers go, if not to this address.")}
          fault={faultOf(save.error, "replyTo")}
        />
        <Field
          label={t("Signature")}
          value={signature}
          onChange={setSignature}
          rows={4}
          fault={faultOf(save.error, "signatureText")}
        />
        <Check
          isSelected={isDefault}
          onChange={setDefault}
          isDisabled={identity?.isDefault === true || identity?.verified === false}
        >
          {t("Use for new messages")}
        </Check>
        {problem !== null && problem.errors.length === 0 && <ErrorAlert error={problem} />}
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" isPending={save.isPending}>
            {t(save.isPending ? "Saving…" : "Save")}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
