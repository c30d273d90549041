import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../texts/text.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { adminApi } from "../records/admin-key.ts";
import type { ApplicationDelivery } from "./application-webhooks.ts";

export interface DeliveryBodyProps {
  readonly application: string;
  readonly endpointId: string;
  readonly delivery: ApplicationDelivery;
}

/** A button for the body of a delivery, and then the body. */
export const DeliveryBody = ({ application, endpointId, delivery }: DeliveryBodyProps) => {
  const [isAsked, ask] = useState(false);
  const read = useMutation({
    mutationFn: () =>
      adminApi("POST /api/applications/:name/webhooks/:id/deliveries/:deliveryId/body", {
        params: { name: application, id: endpointId, deliveryId: delivery.id },
      }),
  });
  return (
    <>
      {read.isSuccess ? (
        <pre className="code" tabIndex={0} aria-label={t("Body")}>
          {indentJson(read.data.data.body)}
        </pre>
      ) : (
        <div className="buttons">
          <Button isPending={read.isPending} onPress={() => ask(true)}>
            {t("Show the body")}
          </Button>
          <span className="soft small delivery-id mono">{delivery.id}</span>
        </div>
      )}
      {read.isError && <ErrorAlert error={read.error} />}
      {isAsked && (
        <Question
          title={t("Show the body of this delivery?")}
          yes={t("Show body")}
          no={t("Cancel")}
          destroys={false}
          onYes={() => {
            ask(false);
            read.mutate();
          }}
          onNo={() => ask(false)}
        >
          <p>{t("It may quote a user’s mail. The audit records that you read it.")}</p>
        </Question>
      )}
    </>
  );
};

const indentJson = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};
