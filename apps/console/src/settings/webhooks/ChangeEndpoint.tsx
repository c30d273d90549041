import { useMutation } from "@tanstack/react-query";
import { t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../ui/Button.tsx";
import { Popup } from "../../ui/popups/Popup.tsx";
import { toast } from "../../ui/toast.ts";
import { type EndpointChoices, EndpointForm } from "./EndpointForm.tsx";
import type { EndpointPopupProps } from "./TestEvent.tsx";
import { refetchEndpoint } from "./webhooks.ts";

/** Changes an endpoint; pending deliveries use the new settings. */
export const ChangeEndpoint = ({ endpoint, onClose }: EndpointPopupProps) => {
  const save = useMutation({
    mutationFn: (choices: EndpointChoices) =>
      api("PATCH /api/settings/webhooks/:id", { params: { id: endpoint.id }, payload: choices }),
    onSuccess: () => {
      toast(t("Saved."));
      onClose();
    },
    onSettled: () => refetchEndpoint(endpoint.id),
  });
  const { url, description, events, disablePolicy, honourRetryAfter, ordered } = endpoint;
  return (
    <Popup title={t("Change endpoint")} isOpen onClose={onClose} wide isForm>
      <EndpointForm
        initial={{ url, description, events, disablePolicy, honourRetryAfter, ordered }}
        error={save.error}
        onSave={(choices) => save.mutate(choices)}
      >
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" isPending={save.isPending}>
            {t("Save")}
          </Button>
        </div>
      </EndpointForm>
    </Popup>
  );
};
