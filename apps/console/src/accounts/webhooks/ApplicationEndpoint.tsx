import { useEffect } from "react";
import { Link } from "wouter";
import { t } from "../../texts/text.ts";
import { numberText } from "../../texts/formats.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { applicationPath } from "../keys/service-keys.ts";
import { PagedLines } from "../../ui/PagedLines.tsx";
import { useDeliveries, useEndpoints } from "./application-webhooks.ts";
import { DeliveryBody } from "./DeliveryBody.tsx";
import { DeliveryLine } from "../../settings/webhooks/DeliveryLine.tsx";
import "../../settings/webhooks/webhooks.css";

export interface ApplicationEndpointProps {
  readonly application: string;
  readonly id: string;
}

/** An endpoint of an application with its deliveries (spec 7.13). */
export const ApplicationEndpoint = ({ application, id }: ApplicationEndpointProps) => {
  const endpoints = useEndpoints(application);
  const deliveries = useDeliveries(application, id);
  useEffect(() => {
    document.title = `${t("Webhook endpoint")} · Postern`;
  }, []);
  if (endpoints.isPending) return <Bones rows={5} label={t("Loading the endpoint")} />;
  if (endpoints.isError) return <Failed error={endpoints.error} onRetry={endpoints.refetch} />;
  const endpoint = endpoints.data.find((one) => one.id === id);
  const back = <Link href={applicationPath(application)}>{t("Go to {application}", { application })}</Link>;
  if (endpoint === undefined) return <Empty title={t("Endpoint not found")}>{back}</Empty>;
  return (
    <>
      <header className="account-head">
        <p className="small">
          <Link href={applicationPath(application)}>{application}</Link>
        </p>
        <h1 className="endpoint-url">
          <bdi>{endpoint.url}</bdi>
        </h1>
        <p>
          <span className={endpoint.enabled ? "tag good" : "tag warn"}>
            {t(endpoint.enabled ? "enabled [endpoint]" : "disabled [endpoint]")}
          </span>{" "}
          <span className="mono small">{endpoint.id}</span>
        </p>
      </header>
      <dl className="facts">
        <dt>{t("Events")}</dt>
        <dd>{endpoint.events.join(", ")}</dd>
        <dt>{t("Note")}</dt>
        <dd>{endpoint.description || t("none [note]")}</dd>
        <dt>{t("Made")}</dt>
        <dd>
          <Moment at={endpoint.createdAt} whole />
        </dd>
        <dt>{t("Failures since the last success")}</dt>
        <dd>{numberText(endpoint.consecutiveFailures)}</dd>
      </dl>
      <section aria-labelledby="endpoint-deliveries">
        <h2 id="endpoint-deliveries" className="settings-part">
          {t("Deliveries")}
        </h2>
        <PagedLines
          pages={deliveries}
          label={t("Deliveries")}
          loading={t("Loading the deliveries")}
          more={t("Show more deliveries")}
          empty={<p className="soft">{t("There were none in the last 14 days.")}</p>}
        >
          {(delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery}>
              <DeliveryBody application={application} endpointId={id} delivery={delivery} />
            </DeliveryLine>
          )}
        </PagedLines>
      </section>
    </>
  );
};
