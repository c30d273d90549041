import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { READY_PAUSE } from "./ready-pause.ts";
import { dataDir, folders, signIn, start, started } from "./server-process.ts";

const file = (name: string) => join(dataDir(), name);

const stopped = async (server: Awaited<ReturnType<typeof started>>) => {
  server.child.kill("SIGTERM");
  await server.ended;
};

const refusal = async () => {
  const server = await start();
  expect(await server.ended).toBe(1);
  expect(server.output().trim().split("\n").length).toBe(1);
  return server.output();
};

describe("the data folder", () => {
  it("gets no keys from a process that does not hold its lock", async () => {
    await writeFile(file("lock"), JSON.stringify({ pid: process.pid, start: "" }));
    expect(await refusal()).toContain(`in use by process ${process.pid}`);
    expect(await readdir(dataDir())).toEqual(["lock"]);
  });

  it("is taken by one of several concurrent first starts, whose keys decrypt what it stored", async () => {
    const all = await Promise.all([start(), start(), start()]);
    const ready = all.map(async (server) => {
      while (server.child.exitCode === null) {
        if ((await fetch(`${server.base}/health/ready`).catch(() => undefined))?.ok) return server;
        await setTimeout(READY_PAUSE);
      }
      return undefined;
    });
    const [survivor, ...others] = (await Promise.all(ready)).filter((server) => server !== undefined);
    expect([survivor !== undefined, others.length]).toEqual([true, 0]);
    for (const server of all) if (server !== survivor) expect(server.output()).toMatch(/in use by/);
    const { token } = await signIn(survivor!.base);
    await stopped(survivor!);
    const again = await started();
    expect((await folders(again.base, token)).status).toBe(200);
  });

  it("is refused if its database is missing, which is not recreated", async () => {
    await stopped(await started());
    const keys = await readFile(file("keys.json"), "utf8");
    await copyFile(file("postern.db"), file("kept.db"));
    await truncate(file("postern.db"));
    expect(await refusal()).toMatch(/^Postern cannot start: [^\n]*postern\.db[^\n]*keys\.json/);
    await rm(file("postern.db"));
    expect(await refusal()).toMatch(/^Postern cannot start: [^\n]*postern\.db[^\n]*keys\.json/);
    expect(existsSync(file("postern.db"))).toBe(false);
    await copyFile(file("kept.db"), file("postern.db"));
    await stopped(await started());
    expect(await readFile(file("keys.json"), "utf8")).toBe(keys);
  });

  it("is refused if its keys are missing, and gets no new ones", async () => {
    await stopped(await started());
    await rm(file("keys.json"));
    expect(await refusal()).toMatch(/^Postern cannot start: [^\n]*keys\.json is missing/);
    expect(existsSync(file("keys.json"))).toBe(false);
  });

  it("is initialised again if a first start was killed before it had keys", async () => {
    for (const part of ["postern.db", "postern.db-wal"]) {
      const first = await start();
      while (!existsSync(file(part)) && first.child.exitCode === null) await new Promise(setImmediate);
      first.child.kill("SIGKILL");
      await first.ended;
      await stopped(await started());
      for (const name of await readdir(dataDir())) await rm(file(name), { recursive: true });
    }
    await writeFile(file("postern.db"), "");
    await stopped(await started());
  });

  /** A file size limit, which has the effect of a full disk. */
  const limitFiles = (pid: number, bytes: string) => spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);

  it("is refused in one line if the disk is full at the first start", async () => {
    const program = [process.execPath, "--conditions=@postern/source", "apps/server/start.mjs"].join(" ");
    const env = { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir() };
    const begun = spawnSync("sh", ["-c", `trap '' XFSZ; ulimit -f 200; exec ${program}`], { encoding: "utf8", env });
    expect([begun.status, begun.stdout + begun.stderr]).toEqual([
      1,
      expect.stringMatching(/^Postern cannot start: the folder [^\n]+ cannot be used: [^\n]+\n$/),
    ]);
    await started();
  });

  it("makes the service unready while its disk is full [S8.1-2]", async () => {
    const server = await started();
    const ready = async () => (await fetch(`${server.base}/health/ready`)).status;
    expect(limitFiles(server.child.pid!, "8192").status).toBe(0);
    await expect.poll(ready).toBe(503);
    limitFiles(server.child.pid!, "unlimited");
    await expect.poll(ready).toBe(200);
  });
});

describe("a backup", () => {
  it("of the running service starts as a service with its keys [S8.5-2]", async () => {
    const first = await started();
    const { token } = await signIn(first.base);
    const kept = await start({}, "backup", file("backup.db"));
    expect([await kept.ended, kept.output()]).toEqual([0, expect.stringContaining("copied")]);
    await fetch(`${first.base}/api/auth/logout`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
    expect((await folders(first.base, token)).status).toBe(401);
    await stopped(first);
    await mkdir(file("restored"));
    await copyFile(file("backup.db"), file("restored/postern.db"));
    await copyFile(file("keys.json"), file("restored/keys.json"));
    const restored = await started({ DATA_DIR: file("restored") });
    expect((await folders(restored.base, token)).status).toBe(200);
  });

  it("explains its usage, and refuses to copy a Postgres", async () => {
    const none = await start({}, "backup");
    expect([await none.ended, none.output()]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*npm run backup -- FILE[^\n]*\n$/),
    ]);
    const keys = { CREDENTIAL_KEYS: "k1:x", JWT_KEYS: "[]" };
    const elsewhere = await start({ DATABASE_URL: "postgres://db.test/p", ...keys }, "backup", file("backup.db"));
    expect([await elsewhere.ended, elsewhere.output()]).toEqual([1, expect.stringMatching(/^[^\n]*pg_dump[^\n]*\n$/)]);
  });
});
