import { describe, expect, it } from "vitest";
import { otlpCollector } from "./otlp-collector.ts";
import { folders, signIn, started } from "./server-process.ts";

describe("an OTLP collector", () => {
  it("receives traces and metrics without secrets [S1.3-28]", async () => {
    const { received, url } = await otlpCollector();
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
