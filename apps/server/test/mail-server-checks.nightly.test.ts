import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { freePort } from "@postern/testkit";
import { expect, it, onTestFinished } from "vitest";
import { createPostern } from "../src/index.ts";
import { dataDir, started } from "./server-process.ts";

const listening = async (port = 0) => {
  const server = createServer((socket) => socket.on("error", () => {}));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
};

it("names the deployment's mail servers that are unreachable, stays ready, and forgets them when they return [S8.1-3] [S8.1-8]", async () => {
  const [imap, smtp] = [await listening(), await listening()];
  const server = await started({
    IMAP_URL: `imap://127.0.0.1:${imap.port}`,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  });
  const ready = async () => {
    const answer = await fetch(`${server.base}/health/ready`);
    return [answer.status, ((await answer.json()) as { readonly unreachable?: unknown }).unreachable];
  };
  expect(await ready()).toEqual([200, undefined]);
  smtp.close();
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, ["smtp"]]);
  imap.close();
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, ["imap", "smtp"]]);
  await listening(smtp.port);
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, ["imap"]]);
}, 120_000);

it("does not look for an SMTP server where the host sends [S8.1-8]", async () => {
  const imapUrl = `imap://127.0.0.1:${await freePort()}`;
  const mailTransport = { send: async () => ({ result: "accepted" }) as const };
  const postern = await createPostern({ dataDir: dataDir(), imapUrl, ports: { mailTransport } });
  onTestFinished(() => postern.stop());
  const ready = async () => (await postern.fetch(new Request("http://localhost/health/ready"))).json();
  await expect.poll(ready).toEqual({ ok: true, status: "ready", unreachable: ["imap"] });
});
