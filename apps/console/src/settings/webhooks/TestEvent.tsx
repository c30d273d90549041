import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { errorText } from "../../ui/error-text.ts";
import { type Endpoint, useEventTypes } from "./webhooks.ts";

const TEST = "webhook.test";

export interface EndpointPopupProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

/** Sends a sample event once and shows the endpoint's answer; does not change the endpoint's state. */
export const TestEvent = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [event, setEvent] = useState(TEST);
  const types = useEventTypes().data ?? [];
  const send = useMutation({
    mutationFn: () =>
      api("POST /api/settings/webhooks/:id/test", {
        params: { id: endpoint.id },
        payload: event === TEST ? {} : { event },
      }),
  });
  const result = send.data?.data;
  return (
    <Popup title="Send test event" isOpen onClose={onClose}>
      <Choice
        label="Event type"
        value={event}
        onChange={setEvent}
        options={[
          ...(types.some((type) => type.event === TEST) ? [] : [{ id: TEST, name: TEST }]),
          ...types.map((type) => ({ id: type.event, name: type.event })),
        ]}
      />
      <div aria-live="polite">
        {result !== undefined && (
          <div className={result.delivered ? "notice" : "notice bad"}>
            <div className="test-result">
              <p>
                <strong>{result.delivered ? "Delivered" : "Not delivered"}</strong>: answered{" "}
                {result.status ?? "nothing"}
                {result.errorCode === null ? "" : ` (${result.errorCode})`} in {result.ms} ms.
              </p>
              {result.excerpt !== "" && (
                <pre className="code" tabIndex={0} aria-label="Answer">
                  {result.excerpt}
                </pre>
              )}
            </div>
          </div>
        )}
        {send.isError && <p className="notice bad">{errorText(send.error)}</p>}
      </div>
      <div className="buttons end">
        <Button onPress={onClose}>Close</Button>
        <Button look="primary" isPending={send.isPending} onPress={() => send.mutate()}>
          {send.isPending ? "Sending…" : "Send"}
        </Button>
      </div>
    </Popup>
  );
};
