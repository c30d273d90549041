import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import { api, queries } from "../../api/client.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { type EndpointChoices, EndpointForm, NEW_ENDPOINT } from "./EndpointForm.tsx";
import { Secret } from "../../ui/Secret.tsx";
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
    document.title = "Add Endpoint · Postern";
  }, []);
  if (add.data !== undefined) {
    const { id, url, secret } = add.data.data;
    return (
      <>
        <header className="page-head">
          <h1>Endpoint added</h1>
        </header>
        <div className="form">
          <p>
            Events are now posted to <strong>{url}</strong>, signed with this secret. Your server needs it to verify the
            signatures.
          </p>
          <Secret secret={secret} name="signing secret" ifLost="rotate it" />
          <Verification />
          <div className="buttons">
            <Link href={`/settings/webhooks/${id}`} className="button primary">
              Copied, show the endpoint
            </Link>
          </div>
        </div>
      </>
    );
  }
  return (
    <>
      <header className="page-head">
        <h1>Add Endpoint</h1>
      </header>
      {types.isPending ? (
        <Bones rows={8} label="the kinds of events" />
      ) : (
        <EndpointForm initial={NEW_ENDPOINT} error={add.error} onSave={(choices) => add.mutate(choices)}>
          <div className="buttons">
            <Button type="submit" look="primary" isPending={add.isPending}>
              Add Endpoint
            </Button>
            <Link href="/settings/webhooks" className="button">
              Cancel
            </Link>
          </div>
        </EndpointForm>
      )}
    </>
  );
};
