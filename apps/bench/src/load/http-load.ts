import autocannon from "autocannon";
import { closedLoop } from "./closed-loop.ts";
import { loopDelayMillis } from "../figures/loop-delay.ts";
import { cpuMillis } from "../figures/process-figures.ts";
import type { Run } from "../figures/statistics.ts";

export interface HttpJob {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly connections: number;
  readonly millis: number;
  /** The process whose CPU time is measured, if it is known. */
  readonly pid?: number;
  /** The base URL of the service, if its event loop is measured. */
  readonly base?: string;
}

/**
 * Sends requests until the last answer. autocannon would abort requests in progress, which would cost the service its
 * connections to the mail server, and the next run would measure reconnecting.
 */
const warmUp = ({ url, method = "GET", headers, body, connections, millis }: HttpJob) =>
  closedLoop(
    async () => {
      const answer = await fetch(url, { method, ...(headers && { headers }), ...(body !== undefined && { body }) });
      await answer.arrayBuffer();
    },
    { lanes: connections, millis: Math.max(100, millis / 5) },
  );

const shoot = ({ url, method = "GET", headers, body, connections, millis }: HttpJob) =>
  autocannon({
    url,
    method,
    connections,
    duration: millis / 1000,
    timeout: 60,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  });

/** Sends requests on persistent connections, each after the previous answer; fails on an answer other than 2xx. */
export const httpLoad = async (job: HttpJob): Promise<Run> => {
  await warmUp(job);
  if (job.base !== undefined) await loopDelayMillis(job.base);
  const before = job.pid === undefined ? Number.NaN : cpuMillis(job.pid);
  const result = await shoot(job);
  const cpu = job.pid === undefined ? Number.NaN : cpuMillis(job.pid) - before;
  if (result.non2xx > 0 || result.errors > 0 || result["2xx"] === 0) {
    throw new Error(`${job.url}: ${result["2xx"]} good, ${result.non2xx} refused, ${result.errors} broken`);
  }
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: cpu / result["2xx"],
    ...(job.base === undefined ? {} : { loopDelay: await loopDelayMillis(job.base) }),
  };
};
