import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { bridgeSettings, runBridge } from "../src/process/mcp-bridge.ts";

it("names the setting that is missing", () => {
  expect(bridgeSettings({ POSTERN_URL: "http://127.0.0.1:1" })).toContain("POSTERN_KEY");
  expect(bridgeSettings({ POSTERN_KEY: "psk_x" })).toContain("POSTERN_URL");
});

it("passes each line to the service, and writes one message a line [S13.7-1]", async () => {
  const asked: Array<{ readonly headers: NodeJS.Dict<string | Array<string>>; readonly body: string }> = [];
  const service = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      asked.push({ headers: request.headers, body });
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const answer = JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25" } });
      if (id === undefined) response.writeHead(202).end();
      else if (method === "initialize")
        response.setHeader("content-type", "text/event-stream").end(`event: message\ndata: ${answer}\n\n`);
      else response.setHeader("content-type", "application/json").end(answer);
    });
  });
  await new Promise<void>((done) => service.listen(0, "127.0.0.1", done));
  const POSTERN_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const settings = bridgeSettings({ POSTERN_URL, POSTERN_KEY: "psk_secret", POSTERN_ACCOUNT: "a@b.test" });
  if (typeof settings === "string") throw new Error(settings);
  const written: Array<string> = [];
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    "no json",
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mailboxes","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
  ];
  await runBridge(settings, Readable.from([lines.join("\n")]), (line) => void written.push(line));
  await new Promise((done) => service.close(done));

  expect(
    written
      .map((line) => (JSON.parse(line) as { id: unknown }).id)
      .toSorted((one, other) => String(one).localeCompare(String(other))),
  ).toEqual([1, 2, null]);
  expect(written.join()).not.toContain("psk_secret");
  expect(asked.every(({ headers }) => headers["authorization"] === "Bearer psk_secret")).toBe(true);
  const named = asked.find(({ body }) => body.includes("mailboxes"))!;
  expect(named.headers).toMatchObject({
    "mcp-method": "tools/call",
    "mcp-protocol-version": "2026-07-28",
    "postern-account": "a@b.test",
  });
  expect(asked.find(({ body }) => body.includes("initialized"))!.headers["mcp-protocol-version"]).toBe("2025-11-25");
});
