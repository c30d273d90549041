import { createServer } from "node:http";

/** Accepts all webhooks, in a separate process: listens on the port of a job; answers a job without one with what it got. */
const sink = (port: number) => {
  let arrivals: Array<SinkArrival> = [];
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    arrivals.push([String(request.headers["webhook-id"]), at]);
    request.resume();
    request.on("end", () => response.end("{}"));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, "127.0.0.1", () => process.send?.([]));
  return () => {
    const those = arrivals;
    arrivals = [];
    return those;
  };
};

let take: (() => ReadonlyArray<SinkArrival>) | undefined;
process.on("message", ({ port }: WebhookSinkJob) => {
  if (port === undefined) process.send?.(take?.());
  else take = sink(port);
});
process.on("disconnect", () => process.exit());

export interface WebhookSinkJob {
  readonly port?: number;
}

/** The id of each event with its arrival in epoch milliseconds. */
export type SinkArrival = readonly [string, number];
