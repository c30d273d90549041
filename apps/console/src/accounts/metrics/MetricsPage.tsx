import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { t } from "../../texts/text.ts";
import { PREFIX } from "../../api/prefix.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { figureGroups } from "./figures.ts";
import { samplesOf } from "./samples.ts";

const POLL_MILLIS = 10_000;

/** Reads `/metrics`; null if this path is not answered, because a proxy should keep the metrics private. */
const useMetrics = () =>
  useQuery({
    queryKey: ["admin", "metrics"],
    queryFn: async ({ signal }) => {
      const answer = await fetch(`${PREFIX}/metrics`, { signal, credentials: "omit" });
      return answer.ok ? samplesOf(await answer.text()) : null;
    },
    refetchInterval: POLL_MILLIS,
    staleTime: 0,
  });

/** The figures of the service at a glance (spec 8.1). */
export const MetricsPage = () => {
  const metrics = useMetrics();
  useEffect(() => {
    document.title = `${t("Metrics")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Metrics")}</h1>
      </header>
      {metrics.isPending ? (
        <Bones rows={4} label={t("Loading the metrics")} />
      ) : metrics.isError ? (
        <Failed error={metrics.error} onRetry={metrics.refetch} />
      ) : metrics.data === null ? (
        <Empty title={t("The metrics are private here")}>
          <p>{t("The proxy does not pass on /metrics. Read them from the process itself.")}</p>
        </Empty>
      ) : (
        figureGroups(metrics.data).map(({ title, figures }) => (
          <section key={title} aria-label={title}>
            <h2 className="settings-part">{title}</h2>
            <dl className="figures">
              {figures.map(({ name, text, isFault }) => (
                <div key={name} className={isFault ? "figure warn" : "figure"}>
                  <dt>{name}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))
      )}
    </>
  );
};
