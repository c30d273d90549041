import { Link } from "wouter";
import { t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { endpointPath, useEndpoints } from "./application-webhooks.ts";

/** The webhook endpoints of an application. */
export const EndpointLines = ({ application }: { readonly application: string }) => {
  const endpoints = useEndpoints(application);
  return (
    <section aria-labelledby="application-endpoints">
      <h2 id="application-endpoints" className="settings-part">
        Webhook endpoints
      </h2>
      {endpoints.isPending ? (
        <Bones rows={2} label={t("Loading the endpoints")} />
      ) : endpoints.isError ? (
        <Failed error={endpoints.error} onRetry={endpoints.refetch} />
      ) : endpoints.data.length === 0 ? (
        <p className="soft">Its keys have made no endpoints.</p>
      ) : (
        <ul className="lines" aria-label="Webhook endpoints">
          {endpoints.data.map(({ id, url, events, enabled, lastDeliveryAt, lastStatus }) => (
            <li key={id} className="line">
              <div className="line-main">
                <Link href={endpointPath(application, id)} className="line-name">
                  {url}
                </Link>
                <p className="soft small">
                  {events.join(", ")}
                  {lastDeliveryAt !== null && (
                    <>
                      . Last attempt <Moment at={lastDeliveryAt} />, answered {lastStatus ?? "nothing"}
                    </>
                  )}
                </p>
              </div>
              <span className={enabled ? "tag good" : "tag warn"}>{enabled ? "enabled" : "disabled"}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
