import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CheckboxGroup, Label } from "react-aria-components";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Check } from "../../ui/Check.tsx";
import { Field } from "../../ui/Field.tsx";
import { Popup } from "../../ui/Popup.tsx";
import { detailOf, titleOf } from "../../ui/State.tsx";
import { toast } from "../../ui/toast.ts";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import { endpointChanged } from "./webhooks.ts";

const DAY_MILLIS = 86_400_000;

/** As an input for date and time has it: local, to the minute. */
const localMinute = (at: number): string => {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** Brings events again that were held or given up, from a point in time on. */
export const Replay = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [since, setSince] = useState(() => localMinute(Date.now() - DAY_MILLIS));
  const [states, setStates] = useState<ReadonlyArray<string>>(["held", "exhausted"]);
  const isTime = !Number.isNaN(Date.parse(since));
  const replay = useMutation({
    mutationFn: () =>
      api("POST /api/settings/webhooks/:id/replay", {
        params: { id: endpoint.id },
        payload: {
          since: new Date(since).toISOString(),
          states: states.filter((state) => state === "held" || state === "exhausted"),
        },
      }),
    onSuccess: ({ data }) => {
      toast(
        data.queued === 0 && data.complete
          ? "There was nothing to replay."
          : `${data.queued} ${data.queued === 1 ? "event goes" : "events go"} out again${data.complete ? "" : ", and more follow"}.`,
      );
      onClose();
    },
    onSettled: () => endpointChanged(endpoint.id),
  });
  return (
    <Popup title="Replay events" isOpen onClose={onClose}>
      <p className="soft">What has arrived, or is on its way, is not sent again.</p>
      <Field
        label="Since"
        type="datetime-local"
        value={since}
        onChange={setSince}
        hint="At most 14 days ago."
        fault={isTime ? undefined : "Give a date and a time."}
      />
      <CheckboxGroup className="form" value={[...states]} onChange={setStates}>
        <Label className="label">Which</Label>
        <Check value="held">Held while the endpoint was disabled</Check>
        <Check value="exhausted">Given up after the last retry</Check>
      </CheckboxGroup>
      {replay.isError && (
        <p className="notice bad" role="alert">
          {titleOf(replay.error)} {detailOf(replay.error)}
        </p>
      )}
      <div className="buttons end">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="primary"
          isPending={replay.isPending}
          isDisabled={!isTime || states.length === 0}
          onPress={() => replay.mutate()}
        >
          Replay
        </Button>
      </div>
    </Popup>
  );
};
