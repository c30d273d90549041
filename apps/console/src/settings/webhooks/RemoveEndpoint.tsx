import { useLocation } from "wouter";
import { api, queries } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Popup } from "../../ui/Popup.tsx";
import { detailOf, titleOf } from "../../ui/State.tsx";
import { toast } from "../../ui/toast.ts";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import type { Endpoint } from "./webhooks.ts";

const remove = async (id: string): Promise<void> => {
  queries.setQueryData<ReadonlyArray<Endpoint>>(["endpoints"], (all) => all?.filter((one) => one.id !== id));
  try {
    await api("DELETE /api/settings/webhooks/:id", { params: { id } });
    toast("Deleted.");
  } catch (error) {
    toast(`It could not be deleted: ${titleOf(error)} ${detailOf(error)}`);
  }
  await queries.invalidateQueries({ queryKey: ["endpoints"] });
};

/** Deletes an endpoint with all that is due to it. Its page is left first: it would go on asking for it. */
export const RemoveEndpoint = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [, navigate] = useLocation();
  return (
    <Popup title="Delete this endpoint?" isOpen onClose={onClose} role="alertdialog">
      <p>
        <strong>{endpoint.url}</strong> gets no more events. What is due or held goes with it.
      </p>
      <div className="buttons end">
        <Button onPress={onClose}>Keep it</Button>
        <Button
          look="danger"
          onPress={() => {
            navigate("/settings/webhooks");
            void remove(endpoint.id);
          }}
        >
          Delete the endpoint
        </Button>
      </div>
    </Popup>
  );
};
