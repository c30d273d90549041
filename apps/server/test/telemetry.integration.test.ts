import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { folders, signIn, started } from "./server-process.ts";

let collector: Server | undefined;
afterEach(() => void collector?.close());

/** The requests to an OTLP collector, by path. */
const listen = async () => {
  const received = new Map<string, string>();
  collector = createServer((request, response) => {
    let body = "";
    request.on("data", (text) => (body += text));
    request.on("end", () => {
      const path = request.url ?? "";
      received.set(path, (received.get(path) ?? "") + body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  return { received, url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
};

describe("an OTLP collector", () => {
  it("receives traces and metrics without secrets", async () => {
    const { received, url } = await listen();
    const server = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const { token, refreshToken } = await signIn(server.base);
    expect((await folders(server.base, token)).status).toBe(200);
    const search = await fetch(`${server.base}/api/inbox?folder=canary-folder`, {
      headers: { cookie: "session=canary-cookie" },
    });
    expect(search.status).toBe(401);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);

    const traces = received.get("/v1/traces") ?? "";
    expect(traces).toContain("/api/folders");
    expect(traces).toContain("SignIn.withPassword");
    expect(received.get("/v1/metrics")).toContain("http_server_request_duration_seconds");
    for (const secret of [token, refreshToken, '"demo"', "canary-cookie", "canary-folder"]) {
      expect([...received.values()].join()).not.toContain(secret);
    }
  });

  it("can be down without failing a request", async () => {
    const server = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    const { token } = await signIn(server.base);
    expect((await folders(server.base, token)).status).toBe(200);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});
