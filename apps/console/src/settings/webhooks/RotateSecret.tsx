import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/Choice.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { Popup } from "../../ui/Popup.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Secret } from "./Secret.tsx";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import { endpointChanged } from "./webhooks.ts";

/** Replaces the signing secret; for a while both sign, so that no event is refused meanwhile. */
export const RotateSecret = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [overlap, setOverlap] = useState("24h");
  const rotate = useMutation({
    mutationFn: () =>
      api("POST /api/settings/webhooks/:id/rotate-secret", { params: { id: endpoint.id }, payload: { overlap } }),
    onSettled: () => endpointChanged(endpoint.id),
  });
  const announced = rotate.data?.data;
  if (announced !== undefined) {
    return (
      <Popup title="The new secret" isOpen onClose={onClose} role="alertdialog">
        <Secret secret={announced.secret} />
        <p>
          Both secrets sign until <Moment at={announced.activatesAt} whole />; from then on, only this one.
        </p>
        <div className="buttons end">
          <Button look="primary" onPress={onClose}>
            I have copied it
          </Button>
        </div>
      </Popup>
    );
  }
  return (
    <Popup title="Rotate the secret" isOpen onClose={onClose}>
      <Choice
        label="Until when the old secret signs too"
        value={overlap}
        onChange={setOverlap}
        options={[
          { id: "24h", name: "24 hours" },
          { id: "1h", name: "One hour" },
          { id: "7d", name: "Seven days" },
          { id: "0", name: "Stop now: the old secret has leaked" },
        ]}
      />
      {rotate.isError && (
        <p className="notice bad" role="alert">
          {errorText(rotate.error)}
        </p>
      )}
      <div className="buttons end">
        <Button onPress={onClose}>Cancel</Button>
        <Button look="primary" isPending={rotate.isPending} onPress={() => rotate.mutate()}>
          Make a new secret
        </Button>
      </div>
    </Popup>
  );
};
