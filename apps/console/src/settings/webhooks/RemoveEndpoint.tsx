import { useLocation } from "wouter";
import { api, queries } from "../../api/client.ts";
import { Question } from "../../ui/popups/Question.tsx";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import type { Endpoint } from "./webhooks.ts";

const remove = async (id: string): Promise<void> => {
  queries.setQueryData<ReadonlyArray<Endpoint>>(["endpoints"], (all) => all?.filter((one) => one.id !== id));
  try {
    await api("DELETE /api/settings/webhooks/:id", { params: { id } });
    toast("Endpoint deleted.");
  } catch (error) {
    toast(`The endpoint could not be deleted: ${errorText(error)}`);
  }
  await queries.invalidateQueries({ queryKey: ["endpoints"] });
};

/** Deletes an endpoint with its deliveries; leaves its page first, because the page keeps polling the endpoint. */
export const RemoveEndpoint = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [, navigate] = useLocation();
  return (
    <Question
      title="Delete this endpoint?"
      yes="Delete endpoint"
      no="Cancel"
      onYes={() => {
        navigate("/settings/webhooks");
        void remove(endpoint.id);
      }}
      onNo={onClose}
    >
      <p>
        <strong>{endpoint.url}</strong> receives no more events. Its pending and held deliveries are deleted.
      </p>
    </Question>
  );
};
