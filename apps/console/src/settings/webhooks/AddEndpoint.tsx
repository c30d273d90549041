import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { rich, t } from "../../texts/text.ts";
import { api, queries } from "../../api/client.ts";
import { Bones } from "../../ui/Bones.tsx";
import { type EndpointChoices, EndpointForm, NEW_ENDPOINT } from "./EndpointForm.tsx";
import { FormButtons } from "../../ui/forms/FormButtons.tsx";
import { SecretPage } from "../../ui/SecretPage.tsx";
import { Verification } from "./Verification.tsx";
import { useEventTypes } from "./webhooks.ts";
import "./webhooks.css";

/** Adds an endpoint (spec 7.2), then shows its signing secret once. */
export const AddEndpoint = () => {
  const types = useEventTypes();
  const add = useMutation({
    mutationFn: (choices: EndpointChoices) => api("POST /api/settings/webhooks", { payload: choices }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["endpoints"] }),
  });
  useEffect(() => {
    document.title = `${t("Add Endpoint")} · Postern`;
  }, []);
  if (add.data !== undefined) {
    const { id, url, secret } = add.data.data;
    return (
      <SecretPage
        title={t("Endpoint added")}
        // The secret is null only in the answer to a repeated request with an Idempotency-Key.
        secret={secret!}
        name={t("Signing secret")}
        advice={t("Copy the signing secret now. It is not shown again; if you lose it, rotate it.")}
        copyLabel={t("Copy the signing secret")}
        help={<Verification />}
        next={`/settings/webhooks/${id}`}
        nextLabel={t("Copied, show the endpoint")}
      >
        {rich(
          "Events are now posted to <b>{url}</b>, signed with this secret. Your server needs it to verify the signatures.",
          { url, b: (chunks) => <strong>{chunks}</strong> },
        )}
      </SecretPage>
    );
  }
  return (
    <>
      <header className="page-head">
        <h1>{t("Add Endpoint")}</h1>
      </header>
      {types.isPending ? (
        <Bones rows={8} label={t("Loading the kinds of events")} />
      ) : (
        <EndpointForm initial={NEW_ENDPOINT} error={add.error} onSave={(choices) => add.mutate(choices)}>
          <FormButtons submit={t("Add Endpoint")} isPending={add.isPending} cancel="/settings/webhooks" />
        </EndpointForm>
      )}
    </>
  );
};
