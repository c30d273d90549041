import { rich, t } from "../../texts/text.ts";
import { Plus } from "../../ui/icons/icons.tsx";
import { useEffect } from "react";
import { Link } from "wouter";
import { Bones } from "../../ui/Bones.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { healthOf } from "./health.ts";
import { type Endpoint, useEndpoints } from "./webhooks.ts";
import "./webhooks.css";

/** The endpoints with their health (spec 7.2: API & Integrations, Webhooks). */
export const WebhookList = () => {
  const endpoints = useEndpoints();
  useEffect(() => {
    document.title = `${t("Webhooks")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Webhooks")}</h1>
        <Link href="/settings/webhooks/new" className="button primary">
          <Plus size={17} aria-hidden />
          {t("Add Endpoint")}
        </Link>
      </header>
      <p className="intro">
        {t("Events of your mailbox are posted to your URL as they happen: signed, and retried until delivered.")}
      </p>
      {endpoints.isPending ? (
        <Bones rows={3} label={t("Loading the endpoints")} />
      ) : endpoints.isError ? (
        <Failed error={endpoints.error} onRetry={endpoints.refetch} />
      ) : endpoints.data.length === 0 ? (
        <Empty title={t("No endpoints yet")}>
          <p>{t("Add an endpoint to receive events, starting with the next message that arrives.")}</p>
        </Empty>
      ) : (
        <ul className="lines">
          {endpoints.data.map((endpoint) => (
            <EndpointLine key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
    </>
  );
};

const EndpointLine = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const health = healthOf(endpoint);
  return (
    <li className="line">
      <div className="line-main">
        <Link href={`/settings/webhooks/${endpoint.id}`} className="line-name">
          <bdi>{endpoint.url}</bdi>
        </Link>
        <p className="soft small">
          {endpoint.description === "" ? "" : `${endpoint.description}. `}
          {rich(
            "{count, plural, one {# event type} other {# event types}}{answer, select, never {} none {, last answer none, <time></time>} other {, last answer {answer}, <time></time>}}",
            {
              count: endpoint.events.length,
              answer: endpoint.lastDeliveryAt === null ? "never" : (endpoint.lastStatus ?? "none"),
              time: () => <Moment at={endpoint.lastDeliveryAt!} />,
            },
          )}
        </p>
      </div>
      <span className={`tag ${health.look}`}>{health.word}</span>
    </li>
  );
};
