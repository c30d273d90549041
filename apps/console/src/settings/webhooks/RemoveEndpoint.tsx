import { useLocation } from "wouter";
import { api, queries } from "../../api/client.ts";
import { Question } from "../../ui/Question.tsx";
import { errorText } from "../../ui/error-text.ts";
import { toast } from "../../ui/toast.ts";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import type { Endpoint } from "./webhooks.ts";

const remove = async (id: string): Promise<void> => {
  queries.setQueryData<ReadonlyArray<Endpoint>>(["endpoints"], (all) => all?.filter((one) => one.id !== id));
  try {
    await api("DELETE /api/settings/webhooks/:id", { params: { id } });
    toast("Deleted.");
  } catch (error) {
    toast(`It could not be deleted: ${errorText(error)}`);
  }
  await queries.invalidateQueries({ queryKey: ["endpoints"] });
};

/** Deletes an endpoint with all that is due to it. Its page is left first: it would go on asking for it. */
export const RemoveEndpoint = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [, navigate] = useLocation();
  return (
    <Question
      title="Delete this endpoint?"
      yes="Delete the endpoint"
      no="Keep it"
      onYes={() => {
        navigate("/settings/webhooks");
        void remove(endpoint.id);
      }}
      onNo={onClose}
    >
      <p>
        <strong>{endpoint.url}</strong> gets no more events. Pending and held deliveries are deleted with it.
      </p>
    </Question>
  );
};
