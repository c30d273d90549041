import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { Secret } from "../../ui/Secret.tsx";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import { refetchEndpoint } from "./webhooks.ts";

/** Replaces the signing secret; both secrets sign for a while, so that the receiver can switch. */
export const RotateSecret = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [overlap, setOverlap] = useState("24h");
  const rotate = useMutation({
    mutationFn: () =>
      api("POST /api/settings/webhooks/:id/rotate-secret", { params: { id: endpoint.id }, payload: { overlap } }),
    onSettled: () => refetchEndpoint(endpoint.id),
  });
  const announced = rotate.data?.data;
  if (announced !== undefined) {
    return (
      <Popup title="New signing secret" isOpen onClose={onClose} role="alertdialog">
        <Secret
          secret={announced.secret}
          name={t("Signing secret")}
          advice={t("Copy the signing secret now. It is not shown again; if you lose it, rotate it.")}
          copyLabel={t("Copy the signing secret")}
        />
        <p>
          Events are signed with both secrets until <Moment at={announced.activatesAt} whole />, then only with this
          one.
        </p>
        <div className="buttons end">
          <Button look="primary" onPress={onClose}>
            Copied, close
          </Button>
        </div>
      </Popup>
    );
  }
  return (
    <Popup title="Rotate secret" isOpen onClose={onClose}>
      <Choice
        label="Keep signing with the old secret for"
        value={overlap}
        onChange={setOverlap}
        options={[
          { id: "24h", name: "24 hours" },
          { id: "1h", name: "One hour" },
          { id: "7d", name: "Seven days" },
          { id: "0", name: "No time: the old secret has leaked" },
        ]}
      />
      {rotate.isError && <ErrorAlert error={rotate.error} />}
      <div className="buttons end">
        <Button onPress={onClose}>Cancel</Button>
        <Button look="primary" isPending={rotate.isPending} onPress={() => rotate.mutate()}>
          Create new secret
        </Button>
      </div>
    </Popup>
  );
};
