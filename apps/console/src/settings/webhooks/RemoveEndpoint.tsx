import { useLocation } from "wouter";
import { rich, t } from "../../texts/text.ts";
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
    toast(t("Endpoint deleted."));
  } catch (error) {
    toast(t("The endpoint could not be deleted: {reason}", { reason: errorText(error) }));
  }
  await queries.invalidateQueries({ queryKey: ["endpoints"] });
};

/** Deletes an endpoint with its deliveries; leaves its page first, because the page keeps polling the endpoint. */
export const RemoveEndpoint = ({ endpoint, onClose }: EndpointPopupProps) => {
  const [, navigate] = useLocation();
  return (
    <Question
      title={t("Delete this endpoint?")}
      yes={t("Delete endpoint")}
      no={t("Cancel")}
      onYes={() => {
        navigate("/settings/webhooks");
        void remove(endpoint.id);
      }}
      onNo={onClose}
    >
      <p>
        {rich("<b>{url}</b> receives no more events. Its pending and held deliveries are deleted.", {
          url: endpoint.url,
          b: (chunks) => <strong>{chunks}</strong>,
        })}
      </p>
    </Question>
  );
};
