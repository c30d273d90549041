import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { markText, t, type Text } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Failed } from "../../ui/Failed.tsx";
import { RotateCw } from "../../ui/icons/icons.tsx";
import { toast } from "../../ui/toast.ts";
import { DeliveryLine } from "./DeliveryLine.tsx";
import { Ladder } from "./Ladder.tsx";
import { stepsOf } from "./ladder.ts";
import { type Delivery, type DeliveryState, type Endpoint, refetchEndpoint, useDeliveries } from "./webhooks.ts";

const ALL = "all";

const STATES: ReadonlyArray<{ readonly id: DeliveryState | typeof ALL; readonly name: Text }> = [
  { id: ALL, name: markText("All deliveries") },
  { id: "pending", name: markText("Pending [delivery]") },
  { id: "in_flight", name: markText("In flight [delivery]") },
  { id: "succeeded", name: markText("Succeeded [delivery]") },
  { id: "exhausted", name: markText("Exhausted [delivery]") },
  { id: "held", name: markText("Held [delivery]") },
  { id: "cancelled", name: markText("Cancelled [delivery]") },
];

/** The deliveries of an endpoint, by state. */
export const Deliveries = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const [state, setState] = useState<DeliveryState | typeof ALL>(ALL);
  const deliveries = useDeliveries(endpoint.id, state === ALL ? null : state);
  const all = deliveries.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="deliveries">
      <div className="page-head deliveries-head">
        <h2 id="deliveries">{t("Deliveries")}</h2>
        <Choice
          label={t("Deliveries shown")}
          hideLabel
          value={state}
          options={STATES.map(({ id, name }) => ({ id, name: t(name) }))}
          onChange={(id) => setState(id as DeliveryState)}
        />
      </div>
      {deliveries.isPending ? (
        <Bones rows={4} label={t("Loading the deliveries")} />
      ) : deliveries.isError && all.length === 0 ? (
        <Failed error={deliveries.error} onRetry={deliveries.refetch} />
      ) : all.length === 0 ? (
        <Empty title={t("No deliveries")}>
          <p>{t(state === ALL ? "The next event is posted to this endpoint." : "No delivery is in this state.")}</p>
        </Empty>
      ) : (
        <>
          <ul className="deliveries">
            {all.map((delivery) => (
              <EndpointDelivery key={delivery.id} endpoint={endpoint} delivery={delivery} />
            ))}
          </ul>
          {deliveries.hasNextPage && (
            <Button isPending={deliveries.isFetchingNextPage} onPress={() => void deliveries.fetchNextPage()}>
              {t("Show older deliveries")}
            </Button>
          )}
        </>
      )}
    </section>
  );
};

interface EndpointDeliveryProps {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
}

/** A delivery with its retry ladder, and a button that repeats it. */
const EndpointDelivery = ({ endpoint, delivery }: EndpointDeliveryProps) => {
  const limits = useQuery({
    queryKey: ["limits"],
    queryFn: async ({ signal }) => (await api("GET /api/limits", { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const resend = useMutation({
    mutationFn: () =>
      api("POST /api/settings/webhooks/:id/deliveries/:deliveryId/resend", {
        params: { id: endpoint.id, deliveryId: delivery.id },
      }),
    onSuccess: () => toast(t("Resend queued: a new delivery is at the top of the list.")),
    onError: (error) => toast(errorText(error)),
    onSettled: () => refetchEndpoint(endpoint.id),
  });
  const steps = stepsOf(delivery, limits.data?.webhookRetryDelays ?? []);
  return (
    <DeliveryLine delivery={delivery} ladder={<Ladder steps={steps} />}>
      <div className="buttons">
        <Button
          icon={<RotateCw size={16} aria-hidden />}
          isDisabled={!endpoint.enabled}
          isPending={resend.isPending}
          onPress={() => resend.mutate()}
        >
          {t("Resend")}
        </Button>
        <span className="soft small delivery-id mono">{delivery.eventId}</span>
      </div>
    </DeliveryLine>
  );
};
