import { useMutation, useQuery } from "@tanstack/react-query";
import { RotateCw } from "../../ui/icons/icons.tsx";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import { Ladder } from "./Ladder.tsx";
import { stepsOf } from "./ladder.ts";
import { type Delivery, refetchEndpoint } from "./webhooks.ts";

const TONES = {
  pending: "warn",
  held: "warn",
  in_flight: "warn",
  succeeded: "good",
  exhausted: "bad",
  cancelled: "",
} as const;

export interface DeliveryLineProps {
  readonly endpointId: string;
  readonly isEnabled: boolean;
  readonly delivery: Delivery;
}

/** A delivery; expanded, its attempts with the endpoint's answers. */
export const DeliveryLine = ({ endpointId, isEnabled, delivery }: DeliveryLineProps) => {
  const [isOpen, setOpen] = useState(false);
  const { id, event, state, attempts, trigger } = delivery;
  const limits = useQuery({
    queryKey: ["limits"],
    queryFn: async ({ signal }) => (await api("GET /api/limits", { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const resend = useMutation({
    mutationFn: () =>
      api("POST /api/settings/webhooks/:id/deliveries/:deliveryId/resend", {
        params: { id: endpointId, deliveryId: id },
      }),
    onSuccess: () => toast("Resend queued: a new delivery is at the top of the list."),
    onError: (error) => toast(errorText(error)),
    onSettled: () => refetchEndpoint(endpointId),
  });
  const steps = stepsOf(delivery, limits.data?.webhookRetryDelays ?? []);
  return (
    <li className="delivery">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={`tag ${TONES[state]}`}>{state.replace("_", " ")}</span>
          <span className="mono delivery-event">{event}</span>
          {trigger !== "event" && <span className="tag">{trigger}</span>}
          <span className="soft small delivery-when">
            <Moment at={delivery.occurredAt} />
            {`, ${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}`}
          </span>
        </summary>
        {isOpen && (
          <div className="delivery-whole">
            <Ladder steps={steps} />
            <ol className="attempts small">
              {attempts.map(({ n, startedAt, ms, status, errorCode, excerpt }) => (
                <li key={n}>
                  <p>
                    <strong>Attempt {n}</strong> <Moment at={startedAt} whole />, {ms} ms, answered{" "}
                    {status ?? "nothing"}
                    {errorCode === null ? "" : ` (${errorCode})`}
                  </p>
                  {excerpt !== "" && (
                    <pre className="code" tabIndex={0} aria-label={`Answer to attempt ${n}`}>
                      {excerpt}
                    </pre>
                  )}
                </li>
              ))}
            </ol>
            <div className="buttons">
              <Button
                icon={<RotateCw size={16} aria-hidden />}
                isDisabled={!isEnabled}
                isPending={resend.isPending}
                onPress={() => resend.mutate()}
              >
                Resend
              </Button>
              <span className="soft small delivery-id mono">{delivery.eventId}</span>
            </div>
          </div>
        )}
      </details>
    </li>
  );
};
