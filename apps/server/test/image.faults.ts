import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "@postern/testkit";
import { afterAll, expect, test, vi } from "vitest";
import { buildRoot } from "../deploy/build-root.mjs";
import { folders, signIn } from "./server-process.ts";

const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;

const place = mkdtempSync(join(tmpdir(), "image-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Mounts everything but the volume read-only, changes to the image's user and starts the service, in one process. */
const CONTAINED = [
  'mount --bind "$DATA_DIR" "$DATA_DIR"',
  "mount -o remount,bind,ro /",
  'exec setpriv --reuid "$RUN_AS" --regid "$RUN_AS" --clear-groups --no-new-privs "$@"',
].join(" && ");

test("the image's files serve the API and the console as a non-root user on a read-only root", async () => {
  const { env, user, entrypoint, folder } = buildRoot(join(place, "root"));
  expect(user).toEqual([1000, 1000]);
  const archive = execFileSync("tar", ["-czf", "-", "."], { cwd: join(place, "root"), maxBuffer: 1 << 27 });
  expect(archive.length).toBeLessThan(20 * 2 ** 20);

  const data = join(place, "data");
  mkdirSync(data);
  for (const path of [place, join(place, "root")]) chmodSync(path, 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, ...user);
  const port = await freePort();
  const [command, ...options] = isRoot
    ? ["unshare", "--mount", "sh", "-c", CONTAINED, "sh", ...entrypoint]
    : entrypoint;
  const child = spawn(command!, options, {
    cwd: folder,
    env: { ...env, PATH, RUN_AS: String(user[0]), HOST: "127.0.0.1", PORT: String(port), DATA_DIR: data },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = once(child, "exit");
  try {
    const base = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => expect((await fetch(`${base}/health/ready`)).ok).toBe(true), { timeout: 30_000 });
    const page = await (await fetch(base)).text();
    const script = /<script[^>]+src="([^"]+)"/.exec(page)?.[1];
    expect((await fetch(new URL(script!, base))).status).toBe(200);
    expect((await fetch(`${base}/docs/reference/configuration.md`)).status).toBe(200);
    const { token } = await signIn(base);
    expect((await folders(base, token)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  } catch (fault) {
    throw new Error(output, { cause: fault });
  } finally {
    child.kill("SIGKILL");
  }
});
