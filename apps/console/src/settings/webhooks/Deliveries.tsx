import { useState } from "react";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { DeliveryLine } from "./DeliveryLine.tsx";
import { type DeliveryState, type Endpoint, useDeliveries } from "./webhooks.ts";

const ALL = "all";

const STATES: ReadonlyArray<{ readonly id: DeliveryState | typeof ALL; readonly name: string }> = [
  { id: ALL, name: "All deliveries" },
  { id: "pending", name: "Pending" },
  { id: "in_flight", name: "In flight" },
  { id: "succeeded", name: "Succeeded" },
  { id: "exhausted", name: "Exhausted" },
  { id: "held", name: "Held" },
  { id: "cancelled", name: "Cancelled" },
];

/** The deliveries of an endpoint, by state. */
export const Deliveries = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const [state, setState] = useState<DeliveryState | typeof ALL>(ALL);
  const deliveries = useDeliveries(endpoint.id, state === ALL ? null : state);
  const all = deliveries.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="deliveries">
      <div className="page-head deliveries-head">
        <h2 id="deliveries">Deliveries</h2>
        <Choice
          label="Deliveries shown"
          hideLabel
          value={state}
          options={STATES}
          onChange={(id) => setState(id as DeliveryState)}
        />
      </div>
      {deliveries.isPending ? (
        <Bones rows={4} label="the deliveries" />
      ) : deliveries.isError && all.length === 0 ? (
        <Failed error={deliveries.error} onRetry={deliveries.refetch} />
      ) : all.length === 0 ? (
        <Empty title="No deliveries">
          <p>{state === ALL ? "The next event is posted to this endpoint." : "No delivery is in this state."}</p>
        </Empty>
      ) : (
        <>
          <ul className="deliveries">
            {all.map((delivery) => (
              <DeliveryLine
                key={delivery.id}
                endpointId={endpoint.id}
                isEnabled={endpoint.enabled}
                delivery={delivery}
              />
            ))}
          </ul>
          {deliveries.hasNextPage && (
            <Button isPending={deliveries.isFetchingNextPage} onPress={() => void deliveries.fetchNextPage()}>
              Show older deliveries
            </Button>
          )}
        </>
      )}
    </section>
  );
};
