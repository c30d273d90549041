import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Starts an OTLP collector, closed after the running test; keeps the requests by path. */
export const otlpCollector = async () => {
  const received = new Map<string, string>();
  const collector = createServer((request, response) => {
    let body = "";
    request.on("data", (text) => (body += text));
    request.on("end", () => {
      const path = request.url ?? "";
      received.set(path, (received.get(path) ?? "") + body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  onTestFinished(() => void collector.close());
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  return { received, url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
};
