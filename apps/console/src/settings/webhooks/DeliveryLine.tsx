import { type ReactNode, useState } from "react";
import { markText, rich, t } from "../../texts/text.ts";
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

const STATES = {
  pending: markText("pending [delivery]"),
  held: markText("held [delivery]"),
  in_flight: markText("in flight [delivery]"),
  succeeded: markText("succeeded [delivery]"),
  exhausted: markText("exhausted [delivery]"),
  cancelled: markText("cancelled [delivery]"),
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
          <span className={`tag ${TONES[state]}`}>{t(STATES[state])}</span>
          <span className="mono delivery-event">{event}</span>
          {trigger !== "event" && (
            <span className="tag">{t(trigger === "replay" ? "replay [delivery]" : "resend [delivery]")}</span>
          )}
          <span className="soft small delivery-when">
            {rich("<time></time>, {count, plural, one {# attempt} other {# attempts}}", {
              time: () => <Moment at={occurredAt} />,
              count: attempts.length,
            })}
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
        {rich(
          "<b>Attempt {n}</b> <time></time>, {duration}, {status, select, none {answered nothing} other {answered {status}}}{error, select, none {} other { ({error})}}",
          {
            n,
            duration: t("{count} ms", { count: ms }),
            status: status ?? "none",
            error: errorCode ?? "none",
            b: (chunks) => <strong>{chunks}</strong>,
            time: () => <Moment at={startedAt} whole />,
          },
        )}
      </p>
      <p className="soft">{t(headers.length === 0 ? "No headers are known: nothing was sent." : "Headers sent")}</p>
      {headers.length > 0 && (
        <pre className="code whole" tabIndex={0} aria-label={t("Headers of attempt {n}", { n })}>
          {headers.join("\n")}
        </pre>
      )}
      {excerpt !== "" && (
        <>
          <p className="soft">{t("Answer [noun]")}</p>
          <pre className="code" tabIndex={0} aria-label={t("Answer to attempt {n}", { n })}>
            {excerpt}
          </pre>
        </>
      )}
    </li>
  );
};
