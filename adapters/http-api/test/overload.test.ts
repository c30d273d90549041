import { Deferred, Effect } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { handlerOver } from "./world.ts";

const gate = Deferred.makeUnsafe<void>();
const { call, dispose } = handlerOver({
  maxRequestsInFlight: 3,
  folders: () => Effect.as(Deferred.await(gate), []),
});
afterAll(dispose);

const list = () => call("GET", "/api/folders", { token: "good" });

describe("requests above the maximum in flight", () => {
  it("are refused at once, except health checks and metrics, until the load falls [S2.3-6] [S8.3-1]", async () => {
    const waiting = [list(), list(), list()];
    await new Promise((resolve) => setTimeout(resolve, 20));
    const refused = await list();
    expect([refused.status, refused.json().code, refused.headers.get("retry-after")]).toEqual([503, "overloaded", "1"]);
    for (const path of ["/health/live", "/health/ready", "/metrics"])
      expect((await call("GET", path)).status).toBe(200);
    expect((await call("GET", "/metrics")).text).toMatch(/^postern_http_server_requests_in_flight 4$/m);

    Effect.runSync(Deferred.succeed(gate, undefined));
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await list()).status).toBe(200);
  });
});

describe("the request metrics", () => {
  it.each(["/metrics/", "/Metrics", "//metrics", "/%6detrics", "/metrics;x"])("are not at %s", async (path) => {
    const { status, json } = await call("GET", path);
    expect([status, json().code]).toEqual([404, "not_found"]);
  });

  it("label requests with the route pattern, never with text of the client [S8.1-4]", async () => {
    // Earlier tests and other files use the same registry.
    const seen = async () => {
      const { text, headers } = await call("GET", "/metrics");
      const count = (name: string, labels: string) =>
        Number(new RegExp(`^postern_http_server_${name}(?:\\{.*${labels}.*\\})? (\\d+)$`, "m").exec(text)?.[1] ?? 0);
      return {
        text,
        type: headers.get("content-type"),
        revoked: count("request_duration_seconds_count", 'method="DELETE",route="/api/auth/sessions/:id",status="200"'),
        unknown: count("request_duration_seconds_count", 'method="GET",route="none",status="404"'),
        shed: count("requests_shed_total", ""),
      };
    };
    const before = await seen();
    await call("GET", "/api/made-up-by-a-client");
    await call("DELETE", "/api/auth/sessions/made-up-id", { token: "good" });
    const after = await seen();
    expect(after.type).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(after.revoked - before.revoked).toBe(1);
    expect(after.unknown - before.unknown).toBe(1);
    expect(after.shed).toBeGreaterThan(0);
    expect(after.text).not.toContain("made-up");
  });
});
