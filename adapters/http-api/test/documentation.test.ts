import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { handlerOver } from "./world.ts";

const GUIDES = [
  { path: "/docs/start.md", title: "Start", text: "# Start\n\nSign in.\n" },
  { path: "/docs/guides/sending.md", title: "Sending", text: "# Sending\n\nSend a message.\n" },
  { path: "/docs/internals/bounces.md", title: "Bounces", text: "# Bounces\n" },
] as const;

const { call, dispose } = handlerOver({ guides: GUIDES });
afterAll(dispose);

describe("the documentation", () => {
  it("serves OpenAPI 3.1 [S8.1-5]", async () => {
    const document = (await call("GET", "/openapi.json")).json();
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toContain("/api/inbox");
  });

  it.each([
    ["https://example.com", "/", "__Host-session"],
    ["https://example.com/mail", "/mail", "__Secure-session"],
    ["http://127.0.0.1:3000/a/b", "/a/b", "session"],
  ])(
    "states the address and the cookie of the service at %s, also in the API reference [S8.1-5]",
    async (baseUrl, path, cookie) => {
      const service = handlerOver({ baseUrl });
      const document = (await service.call("GET", "/openapi.json")).json();
      expect([document.servers[0].url, document.components.securitySchemes.cookie.name]).toEqual([path, cookie]);
      const docs = (await service.call("GET", "/docs")).text;
      expect(docs).toContain(`"servers":[{"url":"${path}",`);
      expect(docs).toContain(`"name":"${cookie}"`);
      await service.dispose();
    },
  );

  it("serves the API reference with every inline script named by its hash and none from elsewhere", async () => {
    const docs = await call("GET", "/docs");
    expect(docs.status).toBe(200);
    const policy = docs.headers.get("content-security-policy")!;
    expect(policy.match(/'sha256-/g)?.length).toBe(docs.text.match(/<script>/g)?.length);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(docs.text).not.toMatch(/<script[^>]+src=/);
  });

  it.each(["/docs", "/openapi.json", "/llms.txt"])(
    "compresses %s, and answers 304 to its ETag [S8.1-7]",
    async (path) => {
      const ask = (headers: Record<string, string>) => call("GET", path, { headers });
      const plain = await ask({ "accept-encoding": "br;q=0, gzip;q=0" });
      const forms = { br: brotliDecompressSync, gzip: gunzipSync };
      expect(plain.headers.get("content-encoding")).toBe(null);
      const etag = plain.headers.get("etag")!;
      for (const [coding, unpack] of Object.entries(forms)) {
        const packed = await ask({ "accept-encoding": `deflate, ${coding}` });
        expect(packed.headers.get("content-encoding")).toBe(coding);
        expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
        if (path !== "/llms.txt") expect(packed.bytes.length * 3).toBeLessThan(plain.bytes.length);
        expect([packed.headers.get("etag"), packed.headers.get("vary")]).toEqual([etag, "accept-encoding"]);
      }
      const again = await ask({ "if-none-match": `"other", ${etag}` });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect((await ask({ "if-none-match": '"other"' })).status).toBe(200);
    },
  );

  it.each([
    ["gzip, br", "br"],
    ["*", "br"],
    ["br;q=0, *;q=0.5", "gzip"],
    ["BR;q=0.1", "br"],
    ["identity", null],
    ["", null],
  ])("answers accept-encoding %j with %s", async (accepted, coding) => {
    const answer = await call("GET", "/openapi.json", { headers: { "accept-encoding": accepted } });
    expect(answer.headers.get("content-encoding")).toBe(coding);
  });

  it("serves its documentation as Markdown, and lists it in /llms.txt [S8.1-6]", async () => {
    const page = await call("GET", "/docs/guides/sending.md");
    expect([page.text, page.headers.get("content-type")]).toEqual([GUIDES[1]!.text, "text/markdown; charset=utf-8"]);
    const contents = (await call("GET", "/llms.txt")).text;
    expect(contents).toMatch(/^# Postern\n/);
    expect(contents).toContain(
      "## Overview\n\n- [Start](docs/start.md)\n\n## Guides\n\n- [Sending](docs/guides/sending.md)\n",
    );
    expect(contents.endsWith("## Optional\n\n- [Bounces](docs/internals/bounces.md)\n")).toBe(true);
    const refused = await call("POST", "/docs/guides/sending.md");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await call("GET", "/docs/guides/none.md")).status).toBe(404);
  });
});
