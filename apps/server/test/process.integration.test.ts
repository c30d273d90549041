import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
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
    expect(help.output()).toContain("IMAP_URL");
    const unknown = await start({}, "keys:lose");
    expect(await unknown.ended).toBe(1);
    expect(unknown.output()).toContain("There is no command keys:lose.");
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
