import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { rich, t } from "../../texts/text.ts";
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
      <Popup title={t("New signing secret")} isOpen onClose={onClose} role="alertdialog">
        <Secret
          secret={announced.secret}
          name={t("Signing secret")}
          advice={t("Copy the signing secret now. It is not shown again; if you lose it, rotate it.")}
          copyLabel={t("Copy the signing secret")}
        />
        <p>
          {rich("Events are signed with both secrets until <time></time>, then only with this one.", {
            time: () => <Moment at={announced.activatesAt} whole />,
          })}
        </p>
        <div className="buttons end">
          <Button look="primary" onPress={onClose}>
            {t("Copied, close")}
          </Button>
        </div>
      </Popup>
    );
  }
  return (
    <Popup title={t("Rotate secret")} isOpen onClose={onClose}>
      <Choice
        label={t("Keep signing with the old secret for")}
        value={overlap}
        onChange={setOverlap}
        options={[
          { id: "24h", name: t("24 hours") },
          { id: "1h", name: t("One hour") },
          { id: "7d", name: t("Seven days") },
          { id: "0", name: t("No time: the old secret has leaked") },
        ]}
      />
      {rotate.isError && <ErrorAlert error={rotate.error} />}
      <div className="buttons end">
        <Button onPress={onClose}>{t("Cancel")}</Button>
        <Button look="primary" isPending={rotate.isPending} onPress={() => rotate.mutate()}>
          {t("Create new secret")}
        </Button>
      </div>
    </Popup>
  );
};
