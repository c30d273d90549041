import { Link } from "wouter";
import { rich, t } from "../../texts/text.ts";
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
        {t("Webhook endpoints")}
      </h2>
      {endpoints.isPending ? (
        <Bones rows={2} label={t("Loading the endpoints")} />
      ) : endpoints.isError ? (
        <Failed error={endpoints.error} onRetry={endpoints.refetch} />
      ) : endpoints.data.length === 0 ? (
        <p className="soft">{t("Its keys have made no endpoints.")}</p>
      ) : (
        <ul className="lines" aria-label={t("Webhook endpoints")}>
          {endpoints.data.map(({ id, url, events, enabled, lastDeliveryAt, lastStatus }) => (
            <li key={id} className="line">
              <div className="line-main">
                <Link href={endpointPath(application, id)} className="line-name">
                  <bdi>{url}</bdi>
                </Link>
                <p className="soft small">
                  {events.join(", ")}
                  {lastDeliveryAt !== null && (
                    <>
                      .{" "}
                      {rich(
                        "Last attempt <time></time>, {status, select, none {answered nothing} other {answered {status}}}",
                        { time: () => <Moment at={lastDeliveryAt} />, status: lastStatus ?? "none" },
                      )}
                    </>
                  )}
                </p>
              </div>
              <span className={enabled ? "tag good" : "tag warn"}>
                {t(enabled ? "enabled [endpoint]" : "disabled [endpoint]")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
