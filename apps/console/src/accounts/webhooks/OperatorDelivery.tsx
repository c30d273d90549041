import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { adminApi } from "../records/admin-key.ts";
import type { ApplicationDelivery } from "./application-webhooks.ts";

const TONES = {
  pending: "warn",
  held: "warn",
  in_flight: "warn",
  succeeded: "good",
  exhausted: "bad",
  cancelled: "",
} as const;

export interface OperatorDeliveryProps {
  readonly application: string;
  readonly endpointId: string;
  readonly delivery: ApplicationDelivery;
}

/** A delivery; expanded, its attempts with the headers sent and the answers, and a button for its body. */
export const OperatorDelivery = ({ application, endpointId, delivery }: OperatorDeliveryProps) => {
  const [isOpen, setOpen] = useState(false);
  const { event, state, attempts, trigger, occurredAt } = delivery;
  return (
    <li className="delivery">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={`tag ${TONES[state]}`}>{state.replace("_", " ")}</span>
          <span className="mono delivery-event">{event}</span>
          {trigger !== "event" && <span className="tag">{trigger}</span>}
          <span className="soft small delivery-when">
            <Moment at={occurredAt} />
            {`, ${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}`}
          </span>
        </summary>
        {isOpen && (
          <div className="delivery-whole">
            <ol className="attempts small">
              {attempts.map((attempt) => (
                <Attempt key={attempt.n} attempt={attempt} />
              ))}
            </ol>
            <Body application={application} endpointId={endpointId} delivery={delivery} />
          </div>
        )}
      </details>
    </li>
  );
};

const Attempt = ({ attempt }: { readonly attempt: ApplicationDelivery["attempts"][number] }) => {
  const { n, startedAt, ms, status, errorCode, excerpt, requestHeaders } = attempt;
  const headers = Object.entries(requestHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <li>
      <p>
        <strong>Attempt {n}</strong> <Moment at={startedAt} whole />, {ms} ms, answered {status ?? "nothing"}
        {errorCode === null ? "" : ` (${errorCode})`}
      </p>
      <p className="soft">{headers.length === 0 ? "No headers are known: nothing was sent." : "Headers sent"}</p>
      {headers.length > 0 && (
        <pre className="code whole" tabIndex={0} aria-label={`Headers of attempt ${n}`}>
          {headers.join("\n")}
        </pre>
      )}
      {excerpt !== "" && (
        <>
          <p className="soft">Answer</p>
          <pre className="code" tabIndex={0} aria-label={`Answer to attempt ${n}`}>
            {excerpt}
          </pre>
        </>
      )}
    </li>
  );
};

const Body = ({ application, endpointId, delivery }: OperatorDeliveryProps) => {
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
        <pre className="code" tabIndex={0} aria-label="Body">
          {indented(read.data.data.body)}
        </pre>
      ) : (
        <div className="buttons">
          <Button isPending={read.isPending} onPress={() => ask(true)}>
            Show the body
          </Button>
          <span className="soft small delivery-id mono">{delivery.id}</span>
        </div>
      )}
      {read.isError && <ErrorAlert error={read.error} />}
      {isAsked && (
        <Question
          title="Show the body of this delivery?"
          yes="Show body"
          no="Cancel"
          destroys={false}
          onYes={() => {
            ask(false);
            read.mutate();
          }}
          onNo={() => ask(false)}
        >
          <p>It may quote a user’s mail. The audit records that you read it.</p>
        </Question>
      )}
    </>
  );
};

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};
