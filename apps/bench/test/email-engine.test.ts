import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { EmailEngine } from "../src/processes/EmailEngine.ts";

const TOKEN = "a-token";
const MAIL = { port: 1143, user: "ten@bench.test", password: "bench" };

/** A server that answers as EmailEngine's API does for one account, which connects at the second look. */
const stub = async () => {
  const accounts = new Map<string, { readonly body: any; looks: number }>();
  const asked: Array<string> = [];
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = [];
    request.on("data", (bytes: Buffer) => parts.push(bytes));
    request.on("end", () => {
      const answer = (status: number, json: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
      const { pathname, search } = new URL(request.url!, "http://stub");
      asked.push(`${request.method} ${pathname}${search}`);
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { error: "Unauthorized" });
      if (request.method === "POST") {
        const body = JSON.parse(Buffer.concat(parts).toString());
        accounts.set(body.account, { body, looks: 0 });
        return answer(200, { account: body.account, state: "new" });
      }
      const [, , , name = "", rest] = pathname.split("/");
      const account = accounts.get(name);
      if (account === undefined) return answer(404, { error: "not found" });
      if (request.method === "DELETE") return answer(200, { deleted: accounts.delete(name) });
      if (rest === "messages") return answer(200, { total: 10_000, page: 0, pages: 200, messages: [] });
      if (rest === "mailboxes") return answer(200, { mailboxes: [] });
      return answer(200, { account: name, state: ++account.looks < 2 ? "connecting" : "connected" });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, accounts, asked };
};

it("adds an account on the mail server of the benchmarks, reads it, and deletes it", async () => {
  const { url, accounts, asked } = await stub();
  const engine = await EmailEngine.add({ url, token: TOKEN }, MAIL);
  expect(accounts.get("postern-bench")?.body.imap).toEqual({
    host: "127.0.0.1",
    port: 1143,
    secure: false,
    auth: { user: "ten@bench.test", pass: "bench" },
  });
  const page = await engine.page(2, 200);
  expect(page.perSecond).toBeGreaterThan(0);
  expect(page.cpu).toBeNaN();
  expect(asked).toContain("GET /v1/account/postern-bench/messages?path=INBOX&page=0&pageSize=50");
  await engine.folders(1, 200);
  expect(asked).toContain("GET /v1/account/postern-bench/mailboxes?counters=true");
  await engine.remove();
  expect(accounts.size).toBe(0);
});

it("reports the answer of EmailEngine to a wrong token", async () => {
  const { url } = await stub();
  await expect(EmailEngine.add({ url, token: "another" }, MAIL)).rejects.toThrow("answered 401 to POST /v1/account");
});
