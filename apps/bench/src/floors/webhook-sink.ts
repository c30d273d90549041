import { createServer } from "node:http";

/** Takes every webhook, in a process of its own: told a port it listens, told nothing it says what came and when. */
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

/** The event's id, and when it came: epoch milliseconds, to the microsecond. */
export type SinkArrival = readonly [string, number];
