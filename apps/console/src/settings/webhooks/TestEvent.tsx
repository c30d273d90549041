import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { rich, t } from "../../texts/text.ts";
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
    <Popup title={t("Send test event")} isOpen onClose={onClose}>
      <Choice
        label={t("Event type")}
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
                {rich(
                  result.delivered
                    ? "<b>Delivered</b>: {status, select, none {answered nothing} other {answered {status}}}{error, select, none {} other { ({error})}} in {duration}."
                    : "<b>Not delivered</b>: {status, select, none {answered nothing} other {answered {status}}}{error, select, none {} other { ({error})}} in {duration}.",
                  {
                    b: (chunks) => <strong>{chunks}</strong>,
                    status: result.status ?? "none",
                    error: result.errorCode ?? "none",
                    duration: t("{count} ms", { count: result.ms }),
                  },
                )}
              </p>
              {result.excerpt !== "" && (
                <pre className="code" tabIndex={0} aria-label={t("Answer [noun]")}>
                  {result.excerpt}
                </pre>
              )}
            </div>
          </div>
        )}
        {send.isError && <p className="notice bad">{errorText(send.error)}</p>}
      </div>
      <div className="buttons end">
        <Button onPress={onClose}>{t("Close")}</Button>
        <Button look="primary" isPending={send.isPending} onPress={() => send.mutate()}>
          {t(send.isPending ? "Sending…" : "Send")}
        </Button>
      </div>
    </Popup>
  );
};
