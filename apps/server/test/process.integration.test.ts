import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { dataDir, folders, post, signIn, start, started } from "./server-process.ts";

describe("the server process", () => {
  it("says where it is and how to sign in, and ends with 0 when told to", async () => {
    const server = await started();
    expect(server.output()).toContain(server.base);
    expect(server.output()).toContain("demo@postern.test");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it("answers what is under way before it ends", async () => {
    const server = await started();
    const { token } = await signIn(server.base);
    const answers = Array.from({ length: 20 }, () => folders(server.base, token));
    await new Promise((resolve) => setTimeout(resolve, 5));
    server.child.kill("SIGTERM");
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
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

  it("refuses a folder that another process uses", async () => {
    const first = await started();
    const second = await start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/cannot start: .*in use by process \d+/);
    expect(second.output().trim().split("\n").length).toBe(1);
    expect((await fetch(`${first.base}/health/ready`)).status).toBe(200);
  });

  it("refuses a wrong setting in one line, and a port in use in another", async () => {
    const wrong = await start({ LOG_LEVEL: "loud" });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toMatch(/^Postern cannot start: LOG_LEVEL [^\n]+\n$/);
    const first = await started();
    const second = await start({ PORT: String(first.port), DATA_DIR: join(dataDir(), "other") });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^Postern cannot listen: [^\n]+\n$/);
  });

  it("explains itself", async () => {
    const help = await start({}, "--help");
    expect(await help.ended).toBe(0);
    for (const word of ["IMAP_URL", "DATA_DIR", "npm run backup -- FILE", "docs/configuration.md"]) {
      expect(help.output()).toContain(word);
    }
    const unknown = await start({}, "keys:lose");
    expect(await unknown.ended).toBe(1);
    expect(unknown.output()).toContain("There is no command keys:lose.");
  });

  it("says at an address without https that browsers cannot sign in there, and what to do", async () => {
    const server = await started({ HOST: "0.0.0.0" });
    expect(server.output()).toMatch(/browsers cannot sign in at http:\/\/0\.0\.0\.0:\d+: it is not https\n.*BASE_URL/);
    expect(server.output()).not.toMatch(/Console +http/);
    const answer = await post(server.base, "/api/auth/login", { email: "demo@postern.test", password: "demo" });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: "https_required",
      detail: expect.stringMatching(/https.*BASE_URL/),
    });
  });

  it("warns of variables that look like settings, and lets the sandbox reach receivers on this machine", async () => {
    const receiver = createServer((_, response) => void response.end()).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const server = await started({ IMAP_ULR: "imaps://x.test" });
    expect(server.output()).toMatch(/IMAP_ULR is no setting .*IMAP_URL/);
    const { token } = await signIn(server.base);
    const endpoint = { url: `http://127.0.0.1:${port}/`, events: ["email.sent"] };
    const made = (await (await post(server.base, "/api/settings/webhooks", endpoint, token)).json()) as {
      readonly data: { readonly id: string };
    };
    const tried = await post(server.base, `/api/settings/webhooks/${made.data.id}/test`, {}, token);
    expect(await tried.json()).toMatchObject({ data: { delivered: true } });
    receiver.close();
  });

  it("rotates the key in its folder while it is stopped, and goes on with what it kept", async () => {
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

  it("prints new keys as Docker, systemd and dotenv read them, and nothing else where npm is silent", async () => {
    const { stdout } = spawnSync("npm", ["run", "--silent", "keys:new"], { encoding: "utf8" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => /^(\w+)=[^\s'#]+$/.exec(line)?.[1])).toEqual(["CREDENTIAL_KEYS", "JWT_KEYS"]);
    const verbatim = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    expect(parseEnv(stdout)).toEqual(verbatim);
    await started(verbatim);
    expect(await readdir(dataDir())).not.toContain("keys.json");
  });

  it("tells no secret: not in its output at the loudest, nor in clear in its folder", async () => {
    const server = await started();
    const { token, refreshToken } = await signIn(server.base);
    const secret = "canary-7f3a9c";
    await post(server.base, "/api/auth/mobile-login", { email: "demo@postern.test", password: secret });
    await folders(server.base, `${token}x`);
    server.child.kill("SIGTERM");
    await server.ended;
    const kept = await Promise.all((await readdir(dataDir())).map((name) => readFile(join(dataDir(), name), "latin1")));
    for (const hidden of [secret, token, refreshToken]) {
      expect(server.output()).not.toContain(hidden);
      expect(kept.join()).not.toContain(hidden);
    }
  });

  it("answers what is no HTTP with a problem", async () => {
    const server = await started();
    const socket = connect(server.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (text) => (answer += text));
    socket.write("NOT HTTP AT ALL\r\n\r\n");
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("application/problem+json");
  });
});
