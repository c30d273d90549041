import { type ReactNode, useState } from "react";
import { Moment } from "../../ui/Moment.tsx";
import type { Delivery } from "./webhooks.ts";

const TONES = {
  pending: "warn",
  held: "warn",
  in_flight: "warn",
  succeeded: "good",
  exhausted: "bad",
  cancelled: "",
} as const;

export interface DeliveryLineProps {
  readonly delivery: Delivery;
  /** Shown above the attempts. */
  readonly ladder?: ReactNode;
  /** Shown below the attempts. */
  readonly children: ReactNode;
}

/** A delivery; expanded, its attempts with the headers sent and the endpoint's answers. */
export const DeliveryLine = ({ delivery, ladder, children }: DeliveryLineProps) => {
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
            {ladder}
            <ol className="attempts small">
              {attempts.map((attempt) => (
                <AttemptLine key={attempt.n} attempt={attempt} />
              ))}
            </ol>
            {children}
          </div>
        )}
      </details>
    </li>
  );
};

const AttemptLine = ({ attempt }: { readonly attempt: Delivery["attempts"][number] }) => {
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
