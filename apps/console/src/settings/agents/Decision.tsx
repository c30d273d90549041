import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { toast } from "../../ui/toast.ts";
import { type Approval, refetchApprovals } from "./agents.ts";

export interface DecisionProps {
  readonly approval: Approval;
  /** Whether the user sees the message that would be sent. */
  readonly canApprove: boolean;
}

/** The buttons that decide about an approval. */
export const Decision = ({ approval: { id, version, by }, canApprove }: DecisionProps) => {
  const [, navigate] = useLocation();
  const [isDenying, openDenial] = useState(false);
  const decided = (text: string) => {
    toast(text);
    navigate("/settings/approvals");
  };
  const approve = useMutation({
    mutationFn: () => api("POST /api/approvals/:id/approve", { params: { id }, headers: { "if-match": version } }),
    onSuccess: () => decided(t("Approved: the message is sent.")),
    onSettled: refetchApprovals,
  });
  const deny = useMutation({
    mutationFn: (reason: string) =>
      api("POST /api/approvals/:id/deny", { params: { id }, payload: reason === "" ? {} : { reason } }),
    onSuccess: () => decided(t("Denied: nothing is sent. The draft stays in Drafts.")),
    onSettled: refetchApprovals,
  });
  return (
    <>
      {approve.error !== null && <ErrorAlert error={approve.error} />}
      <div className="buttons approval-decision">
        <Button look="primary" isDisabled={!canApprove} isPending={approve.isPending} onPress={() => approve.mutate()}>
          {t("Approve and send")}
        </Button>
        <Button look="danger" onPress={() => openDenial(true)}>
          {t("Deny")}
        </Button>
      </div>
      {isDenying && <Denial name={by.name} deny={deny} onClose={() => openDenial(false)} />}
    </>
  );
};

interface DenialProps {
  readonly name: string;
  readonly deny: { readonly mutate: (reason: string) => void; readonly isPending: boolean; readonly error: unknown };
  readonly onClose: () => void;
}

const Denial = ({ name, deny, onClose }: DenialProps) => {
  const [reason, setReason] = useState("");
  const submit = (): boolean => {
    deny.mutate(reason.trim());
    return true;
  };
  return (
    <Popup title={t("Deny this message?")} isOpen onClose={onClose} isForm>
      <FormWithFaults className="form" onSubmit={submit} error={deny.error}>
        <p>{t("Nothing is sent, and the draft stays in Drafts.")}</p>
        <Field
          label={t("Reason (optional)")}
          hint={t("{name} may read it.", { name })}
          value={reason}
          onChange={setReason}
          autoFocus
        />
        {deny.error !== null && <ErrorAlert error={deny.error} />}
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="danger" isPending={deny.isPending}>
            {t("Deny")}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
