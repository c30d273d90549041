import { useEffect } from "react";
import { Link } from "wouter";
import { rich, t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { EndpointTools } from "./EndpointTools.tsx";
import { healthOf } from "./health.ts";
import { Verification } from "./Verification.tsx";
import { useEndpoint } from "./webhooks.ts";
import "./webhooks.css";

/** An endpoint with its health, actions and deliveries. */
export const EndpointPage = ({ params }: { readonly params: { readonly id: string } }) => {
  const query = useEndpoint(params.id);
  useEffect(() => {
    document.title = `${t("Endpoint")} · Postern`;
  }, []);
  if (query.isPending) return <Bones rows={5} label={t("Loading the endpoint")} />;
  if (query.data === undefined) {
    return (
      <Failed error={query.error} onRetry={query.refetch}>
        <Link href="/settings/webhooks" className="button">
          {t("Go to the endpoints")}
        </Link>
      </Failed>
    );
  }
  const endpoint = query.data;
  const health = healthOf(endpoint);
  return (
    <>
      <header className="endpoint-head">
        <h1>
          <bdi>{endpoint.url}</bdi>
        </h1>
        <p>
          <span className={`tag ${health.look}`}>{health.word}</span>{" "}
          <span className="soft small">
            {endpoint.description === "" ? "" : `${endpoint.description}. `}
            {rich(
              "Secret ends in <secret></secret>{answer, select, never {} none {, last answer none, <time></time>} other {, last answer {answer}, <time></time>}}",
              {
                secret: () => <span className="mono">{endpoint.secretHint}</span>,
                answer: endpoint.lastDeliveryAt === null ? "never" : (endpoint.lastStatus ?? "none"),
                time: () => <Moment at={endpoint.lastDeliveryAt!} whole />,
              },
            )}
          </span>
        </p>
        <ul className="endpoint-events" aria-label={t("Events")}>
          {endpoint.events.map((event) => (
            <li key={event} className="tag mono">
              {event}
            </li>
          ))}
        </ul>
      </header>
      <EndpointTools endpoint={endpoint} />
      <Deliveries endpoint={endpoint} />
      <Verification />
    </>
  );
};
