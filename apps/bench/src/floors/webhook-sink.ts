import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Accepts all webhooks, in a separate process; answers each job with its port and the webhooks since the last job. */
let arrivals: Array<SinkArrival> = [];
const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  arrivals.push([String(request.headers["webhook-id"]), at]);
  request.resume();
  request.on("end", () => response.end("{}"));
});
server.keepAliveTimeout = 60_000;
const listening = once(server.listen(0, "127.0.0.1"), "listening");

const answer = () => {
  process.send?.({ port: (server.address() as AddressInfo).port, arrivals });
  arrivals = [];
};
process.on("message", () => void listening.then(answer));
process.on("disconnect", () => process.exit());

/** The id of each event with its arrival in epoch milliseconds. */
export type SinkArrival = readonly [string, number];

export interface WebhookSinkAnswer {
  readonly port: number;
  readonly arrivals: ReadonlyArray<SinkArrival>;
}
