import { once } from "node:events";
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { dataDir, folders, logLines, post, signIn, start, started } from "./server-process.ts";

describe("the server process", () => {
  it("prints its address and how to sign in, and exits with 0 on SIGTERM [S1.2-2] [S8.2-4]", async () => {
    const server = await started();
    expect(server.output()).toContain(server.base);
    expect(server.output()).toContain("demo@postern.test");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it("keeps sessions over a restart, even after kill -9", async () => {
    const first = await started();
    const { token } = await signIn(first.base);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await started();
    expect((await folders(second.base, token)).status).toBe(200);
  });

  it("suppresses only Node 22's warning about SQLite", async () => {
    const SQLITE = "SQLite is an experimental feature and might change at any time";
    const warn = (text: string) => `process.emitWarning('${text}','ExperimentalWarning')`;
    const script = encodeURIComponent(`setTimeout(()=>{${warn(SQLITE)};${warn("another feature")}},300)`);
    const server = await started({ NODE_OPTIONS: `--import=data:text/javascript,${script}` });
    await expect.poll(server.output).toContain("another feature");
    expect(server.output()).not.toContain("SQLite is");
  });

  it("refuses a folder that another process uses", async () => {
    const first = await started();
    const second = await start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/cannot start: .*in use by process \d+/);
    expect(second.output().trim().split("\n").length).toBe(1);
    expect((await fetch(`${first.base}/health/ready`)).status).toBe(200);
  });

  it("refuses a wrong setting in one line, and a port in use in another [S1.3-1]", async () => {
    const wrong = await start({ LOG_LEVEL: "loud" });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toMatch(/^Postern cannot start: LOG_LEVEL [^\n]+\n$/);
    const first = await started();
    const second = await start({ PORT: String(first.port), DATA_DIR: join(dataDir(), "other") });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^Postern cannot listen: [^\n]+\n$/);
  });

  it("prints its usage", async () => {
    const help = await start({}, "--help");
    expect(await help.ended).toBe(0);
    for (const word of ["IMAP_URL", "DATA_DIR", "npm run backup -- FILE", "docs/reference/configuration.md"]) {
      expect(help.output()).toContain(word);
    }
    const unknown = await start({}, "keys:lose");
    expect(await unknown.ended).toBe(1);
    expect(unknown.output()).toContain("Unknown command: keys:lose.");
  });

  it("warns that browsers cannot sign in without https, and what to do", async () => {
    const server = await started({ HOST: "0.0.0.0" });
    expect(server.output()).toMatch(
      /browsers cannot sign in at http:\/\/0\.0\.0\.0:\d+, because it is not https\n.*BASE_URL/,
    );
    expect(server.output()).not.toMatch(/Console +http/);
    const answer = await post(server.base, "/api/auth/login", { email: "demo@postern.test", password: "demo" });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: "https_required",
      detail: expect.stringMatching(/https.*BASE_URL/),
    });
  });

  it("warns about variables that look like settings, and lets the sandbox reach receivers on this machine [S1.3-2]", async () => {
    const receiver = createServer((_, response) => void response.end()).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const server = await started({ IMAP_ULR: "imaps://x.test" });
    expect(server.output()).toMatch(/IMAP_ULR is not a setting .*IMAP_URL/);
    const { token } = await signIn(server.base);
    const endpoint = { url: `http://127.0.0.1:${port}/`, events: ["email.sent"] };
    const made = (await (await post(server.base, "/api/settings/webhooks", endpoint, token)).json()) as {
      readonly data: { readonly id: string };
    };
    const tried = await post(server.base, `/api/settings/webhooks/${made.data.id}/test`, {}, token);
    expect(await tried.json()).toMatchObject({ data: { delivered: true } });
    receiver.close();
  });

  it("rotates the key in its folder while it is stopped, and still reads its data", async () => {
    const first = await started();
    const { token } = await signIn(first.base);
    const early = await start({}, "keys:rotate");
    expect(await early.ended).toBe(1);
    expect(early.output()).toContain("in use by process");
    first.child.kill("SIGTERM");
    await first.ended;

    const before = await readFile(join(dataDir(), "keys.json"), "utf8");
    const rotation = await start({}, "keys:rotate");
    expect(await rotation.ended).toBe(0);
    expect(rotation.output()).toContain("credential: 1 moved");
    const after = await readFile(join(dataDir(), "keys.json"), "utf8");
    expect(JSON.parse(after).sealing).not.toBe(JSON.parse(before).sealing);
    expect(JSON.parse(after).sealing).not.toContain(",");

    const second = await started();
    expect((await folders(second.base, token)).status).toBe(200);
  });

  it("prints new keys as Docker, systemd and dotenv read them, and nothing else with npm --silent [S8.6-1]", async () => {
    const { stdout } = spawnSync("npm", ["run", "--silent", "keys:new"], { encoding: "utf8" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => /^(\w+)=[^\s'#]+$/.exec(line)?.[1])).toEqual(["CREDENTIAL_KEYS", "JWT_KEYS"]);
    const verbatim = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    expect(parseEnv(stdout)).toEqual(verbatim);
    await started(verbatim);
    expect(await readdir(dataDir())).not.toContain("keys.json");
  });

  it("logs in flat lines without secrets, even at the lowest level, and stores none in plain text [S9.6-1] [S9.6-2] [S8.4-1] [S8.4-2]", async () => {
    const server = await started();
    const { token, refreshToken } = await signIn(server.base);
    const secret = "canary-7f3a9c";
    await post(server.base, "/api/auth/mobile-login", { email: "demo@postern.test", password: secret });
    await folders(server.base, `${token}x`);
    const listed = await folders(server.base, token);
    await post(
      server.base,
      "/api/send",
      { to: "friend@postern.test", subject: "canary-mail", text: "canary-mail" },
      token,
    );
    server.child.kill("SIGTERM");
    await server.ended;
    const kept = await Promise.all((await readdir(dataDir())).map((name) => readFile(join(dataDir(), name), "latin1")));
    for (const hidden of [secret, token, refreshToken]) {
      expect(server.output()).not.toContain(hidden);
      expect(kept.join()).not.toContain(hidden);
    }

    const lines = logLines(server.output());
    const said = (message: string) => lines.filter((line) => line.message === message);
    expect(said("request").find(({ requestId }) => requestId === listed.headers.get("x-request-id"))).toEqual({
      time: expect.any(String),
      level: "INFO",
      message: "request",
      requestId: expect.any(String),
      method: "GET",
      route: "/api/folders",
      status: 200,
      ms: expect.any(Number),
      account: expect.stringMatching(/^[\w-]{16}$/),
    });
    expect(said("message attempted")).toMatchObject([{ level: "INFO", state: "sent" }]);
    expect(said("signed in").length).toBe(1);
    expect(said("sign-in refused")).toMatchObject([{ reason: "LoginRefused" }]);
    for (const message of ["ready", "stopping", "stopped"]) expect(said(message).length).toBe(1);
    expect(server.output()).not.toContain("canary-mail");
    expect(JSON.stringify(lines)).not.toContain("@");
  });

  it("serves metrics from the start, and answers malformed requests with a problem that it logs [S8.1-3]", async () => {
    const server = await started({ IMAP_URL: "imap://127.0.0.1:9", SMTP_URL: "smtp://127.0.0.1:9" });
    const metrics = await (await fetch(`${server.base}/metrics`)).text();
    for (const zero of [
      "http_server_requests_shed_total",
      "http_server_requests_over_share_total",
      "webhook_deliveries_due",
      'webhook_attempts_total{outcome="delivered"}',
      'reports_read_total{outcome="bounce"}',
      'outbox_messages{state="queued"}',
      'send_results_total{result="sent"}',
      "outbox_oldest_seconds",
      "sign_ins_refused_total",
      "endpoints_disabled_total",
      'claim_failures_total{queue="outgoing mail"}',
      "imap_connections",
      'accounts{state="needs_reauth"}',
      "watched_accounts",
      "event_streams",
      "arrival_events_total",
    ]) {
      expect(metrics).toContain(`\npostern_${zero} 0\n`);
    }
    expect(metrics).toMatch(/^postern_database_connections{state="open"} 1$/m);
    const whole = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
        let answer = "";
        socket.on("data", (data) => (answer += data)).on("close", () => resolve(answer));
      });
    const refused = {
      400: [
        "NOT HTTP AT ALL",
        "GET %2fapi HTTP/1.1\r\nHost: x",
        "GET /api/folders HTTP/1.1",
        "PRI * HTTP/2.0\r\n\r\nSM",
      ],
      405: ["CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443"],
      417: ["POST /api/send HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe"],
      431: [`GET /${"u".repeat(20_000)} HTTP/1.1\r\nHost: x`, `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}`],
    };
    for (const [status, requests] of Object.entries(refused)) {
      for (const request of requests) {
        const answer = await whole(`${request}\r\n\r\n`);
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*application/problem\\+json`, "s"));
        const [, id] = /^x-request-id: (\S+)/im.exec(answer)!;
        expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({ ok: false, requestId: id });
        expect(logLines(server.output()).filter(({ requestId }) => requestId === id)).toMatchObject([
          { message: "request", status: Number(status) },
        ]);
      }
    }
  });
});
