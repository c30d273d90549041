import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@postern/testkit";

const VERDACCIO = "verdaccio@6.10.4";

/** A plug-in of Verdaccio requires node-fetch by a tag. Some mirrors of the registry lack this tag. */
const MANIFEST = { private: true, overrides: { "node-fetch": "2.7.0" } };

export interface LoopbackRegistry {
  readonly url: string;
  /** Settings of npm under which any client may publish: npm requires a token, and the registry ignores it. */
  readonly npmrc: string;
  readonly stop: () => void;
}

/**
 * Starts an npm registry on a loopback port. It takes the packages of this repository, and has all others from npm's, so
 * that a release can be rehearsed whole: published, and installed by name.
 */
export const startRegistry = async (
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LoopbackRegistry> => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify(MANIFEST));
  const npm = async (...given: ReadonlyArray<string>) =>
    (await promisify(execFile)("npm", [...given], { cwd: folder, env })).stdout.trim();
  const upstream = await npm("config", "get", "registry");
  await npm("install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", VERDACCIO);
  const anyClient = { access: "$all", publish: "$all" };
  writeFileSync(
    join(folder, "config.yaml"),
    JSON.stringify({
      storage: "./storage",
      max_body_size: "100mb",
      uplinks: { npm: { url: upstream } },
      packages: { "@postern/*": anyClient, "**": { access: "$all", proxy: "npm" } },
      log: { type: "stdout", format: "json", level: "error" },
    }),
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const started = spawn(
    process.execPath,
    ["node_modules/verdaccio/bin/verdaccio", "--config", "config.yaml", "--listen", `127.0.0.1:${port}`],
    { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = once(started, "exit").then(() => Promise.reject(new Error("the registry ended")));
  ended.catch(() => undefined);
  await Promise.race([answers(`${url}-/ping`), ended]);
  return {
    url,
    npmrc: `registry=${url}\n//127.0.0.1:${port}/:_authToken=none\n`,
    stop: () => started.kill("SIGKILL"),
  };
};

const answers = async (url: string): Promise<void> => {
  for (;;) {
    const status = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
