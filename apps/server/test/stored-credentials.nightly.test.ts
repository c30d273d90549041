import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describeWithDovecot } from "@postern/testkit";
import { expect, it, onTestFinished } from "vitest";
import { accountReceiver } from "./account-receiver.ts";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { countedPort } from "./counted-port.ts";
import { PASSWORD, startMailSite } from "./mail-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { logLines, started } from "./server-process.ts";

const ANY = {
  ACCOUNT_SERVERS: "any",
  ADMIN_KEY,
  MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
  LOG_FORMAT: "json",
};

/** A server that a request names; nothing may ever connect to it. */
const stranger = async () => {
  const port = await countedPort("127.0.0.3", 1);
  onTestFinished(port.close);
  return { port, server: { host: "127.0.0.3", port: port.port, security: "starttls" } };
};

const site = async (host: string) => {
  const made = await startMailSite(host, {});
  onTestFinished(made.stop);
  return made;
};

/** A token service of the operator; `asked` are the addresses in its requests. */
const tokenService = async () => {
  const asked: Array<string> = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      asked.push((JSON.parse(body) as { email: string }).email);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ accessToken: "hidden-token", expiresIn: 3600 }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

describeWithDovecot("a stored credential", () => {
  it("is shown to no server that a request names, and a new password only to those [S10.3-18]", async () => {
    const [first, second, { port, server }] = await Promise.all([site("127.0.0.1"), site("127.0.0.2"), stranger()]);
    const receiver = await accountReceiver();
    onTestFinished(receiver.close);
    const { base, output } = await started(ANY);
    const ask = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
    const asAdmin = askWithKey(() => base, ADMIN_KEY);
    const email = "ann@x.test";
    await Promise.all([first.addUser(email), second.addUser(email)]);
    const types = ["account.servers_changed"];
    expect((await ask("POST", "/api/settings/webhooks", { url: receiver.url, events: types })).status).toBe(200);
    const made = await ask("POST", "/api/accounts", { email, password: PASSWORD, ...first.servers });
    const path = `/api/accounts/${made.body.data.id}`;

    const { imap, smtp } = first.servers;
    const others = [
      { imap: server, smtp: server },
      { imap: server },
      { smtp: server },
      { imap: { ...imap, certificateSha256: "0".repeat(64) } },
      { imap: { ...imap, security: "tls" } },
    ];
    for (const change of others) {
      for (const send of [ask, asAdmin]) {
        const { status, body } = await send("PATCH", path, change);
        expect([status, body.code], JSON.stringify(body)).toEqual([422, "credential_required"]);
      }
    }
    expect(port.openedAt.length).toBe(0);
    expect((await ask("PATCH", path, { imap, smtp, name: "Ann" })).body.data).toMatchObject({ name: "Ann", imap });
    expect((await ask("GET", "/api/inbox", undefined, email)).status).toBe(200);
    expect(receiver.events("account.servers_changed")).toEqual([]);

    const before = first.imap.openedAt.length;
    const moved = await ask("PATCH", path, { ...second.servers, password: PASSWORD });
    expect(moved.body.data, JSON.stringify(moved.body)).toMatchObject(second.servers);
    expect(first.imap.openedAt.length).toBe(before);
    await expect.poll(() => receiver.events("account.servers_changed").length).toBe(1);
    const [event] = receiver.events("account.servers_changed");
    expect(event).toMatchObject({
      account: { email },
      data: { email, imap: { host: second.host, port: second.imap.port }, smtp: { host: second.host } },
    });
    const requestId = moved.headers.get("x-request-id");
    await expect
      .poll(() => logLines(output()).find(({ message }) => message === "the servers of an account changed"))
      .toMatchObject({ account: made.body.data.id, imap: `${second.host}:${second.imap.port}`, requestId });
  });

  it("of an address of IMAP_DOMAINS stays on the servers of the deployment [S10.3-21] [S10.3-22]", async () => {
    const [home, { port, server }] = await Promise.all([site("127.0.0.1"), stranger()]);
    const { base } = await started({
      ...ANY,
      IMAP_URL: `imap://127.0.0.1:${home.imap.port}`,
      SMTP_URL: `smtp://127.0.0.1:${home.smtp.port}`,
      IMAP_DOMAINS: "home.test",
    });
    const ask = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
    const email = "ann@home.test";
    await home.addUser(email);
    const servers = { imap: server, smtp: server };
    const named = await ask("POST", "/api/accounts", { email, password: PASSWORD, ...servers });
    expect([named.status, named.body.code]).toEqual([400, "servers_fixed"]);
    const made = await ask("POST", "/api/accounts", { email, password: PASSWORD });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    for (const change of [servers, { ...servers, password: PASSWORD }]) {
      const { status, body } = await ask("PATCH", `/api/accounts/${made.body.data.id}`, change);
      expect([status, body.code]).toEqual([400, "servers_fixed"]);
    }
    expect(port.openedAt.length).toBe(0);
  });

  it("of an app that needs no consent is fetched for its domains only, and sent to its servers only [S11.1-12] [S11.2-9]", async () => {
    const [{ port, server }, service] = await Promise.all([stranger(), tokenService()]);
    const absent = { host: "127.0.0.4", port: 1, security: "starttls" };
    const app = { id: "hook", provider: "oidc", mode: "hook", tokenUrl: service.url };
    const { base } = await started({
      ...ANY,
      OAUTH_APPS: JSON.stringify([{ ...app, domains: ["mine.test"], imap: absent, smtp: absent }]),
    });
    const ask = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
    const add = (email: string, more: object = {}) =>
      ask("POST", "/api/accounts", { email, grant: { app: "hook" }, ...more });
    const beyond = await add("ann@other.test");
    expect([beyond.status, beyond.body.errors[0].field]).toEqual([400, "grant"]);
    expect(service.asked).toEqual([]);
    const elsewhere = await add("ann@mine.test", { imap: server, smtp: server });
    expect([elsewhere.status, elsewhere.body.errors[0].field]).toEqual([400, "grant"]);
    expect((await add("ann@mine.test")).body.checks.imap).toMatchObject({ host: absent.host });
    expect(port.openedAt.length).toBe(0);
    const wide = await askWithKey(() => base, ADMIN_KEY)("POST", "/api/oauth/apps", { ...app, id: "wide" });
    expect([wide.status, wide.body.errors[0].field]).toEqual([400, "domains"]);
  });
});
