import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@postern/testkit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type LoopbackRegistry, startRegistry } from "./loopback-registry.ts";

/**
 * Rehearses a release, and tests the packages as users get them. The packages are built, published by changesets to a
 * registry on this machine, and installed in a plain project outside this repository. Dependencies come from npm's
 * registry; without it, the installation fails.
 */
const ROOT = resolve(import.meta.dirname, "../../..");

// This suite compiles, packs and installs everything. It takes twice as long if another suite runs at the same time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 900_000 });

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const workspaces = ["packages", "adapters", "apps"]
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name)))
  .filter((folder) => existsSync(join(folder, "package.json")));

const packages = workspaces
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true);

/** What a program imports; the document of the contract is data. */
const entries = packages.flatMap(({ manifest }) =>
  Object.keys(manifest.exports)
    .filter((entry) => !entry.endsWith(".json"))
    .map((entry) => manifest.name + entry.slice(1)),
);

const outside = mkdtempSync(join(tmpdir(), "packages-"));
const tarballs = join(outside, "tarballs");

/** The oldest Node that the packages support, from npm, where each platform has its own package. */
const OLDEST = /\d+\.\d+\.\d+/.exec(readFileSync(join(ROOT, "package.json"), "utf8").split('"engines"')[1]!)![0];
const OLDEST_PACKAGE = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

const NODES = [
  { version: process.versions.node, bin: dirname(process.execPath) },
  { version: OLDEST, bin: join(outside, "node_modules", OLDEST_PACKAGE, "bin") },
];

/** Warnings of Node 22 about features that the service uses; `npx postern` suppresses them, embedding programs do not. */
const EXPERIMENTAL = /^\(node:\d+\) ExperimentalWarning: .*\n|^\(Use `node --trace-warnings .*\n/gm;

/** The environment without this repository's npm settings, which `npm test` passes to child processes. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));

const run = (folder: string, command: string, ...given: ReadonlyArray<string>): Promise<string> =>
  runIn(env, folder, command, ...given);

const runIn = async (
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  command: string,
  ...given: ReadonlyArray<string>
): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(command, [...given], { cwd: folder, env, maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${command} ${given.slice(0, 3).join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
};

const tool = (name: string) => join(ROOT, "node_modules/.bin", name);

const compile = (settings: object, ...files: ReadonlyArray<string>): Promise<string> => {
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, target: "es2024", types: ["node"] };
  const path = join(outside, `tsconfig.${Object.values(settings)[0]}.json`);
  writeFileSync(path, JSON.stringify({ compilerOptions: { ...compilerOptions, ...settings }, files }));
  return run(outside, tool("tsc"), "-p", path);
};

const NAMED_IMPORT = /^import \{ ([^}]+) \} from "([^"]+)";$/gm;

/** Returns the TypeScript blocks of a package's README as one program, with the port of the service. */
const snippetOf = (folder: string, port: number): string => {
  const blocks = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/^```ts\n(.*?)^```/gms)];
  const program = blocks.map(([, block]) => block!.replaceAll(/(?<=127\.0\.0\.1:)3000\b/g, String(port))).join("");
  // A block may repeat an import of an earlier block, so that each block can be read alone.
  const imported = new Map<string, Set<string>>();
  for (const [, names, from] of program.matchAll(NAMED_IMPORT)) {
    const known = imported.get(from!) ?? new Set();
    imported.set(from!, new Set([...known, ...names!.split(", ")]));
  }
  const imports = [...imported].map(([from, names]) => `import { ${[...names].join(", ")} } from "${from}";\n`);
  return imports.join("") + program.replaceAll(NAMED_IMPORT, "");
};

/** The testkit's snippet is a test. */
const snippetFile = ({ name }: Manifest): string =>
  name === "@postern/testkit" ? "testkit.test.ts" : `${name.slice("@postern/".length)}.ts`;

/** Starts the service with its sandbox for the snippet of the client. */
const SERVICE = `
import { createServer } from "node:http";
import { createPostern } from "@postern/server";
const port = Number(process.argv[2]);
const postern = await createPostern({ sandbox: true, dataDir: "./service", baseUrl: "http://127.0.0.1:" + port });
await postern.start();
createServer(postern.node).listen(port, "127.0.0.1", () => console.log("ready"));
`;

let service: ChildProcess | undefined;
let registry: LoopbackRegistry | undefined;

const startService = async (port: number): Promise<void> => {
  writeFileSync(join(outside, "service.mjs"), SERVICE);
  service = spawn(process.execPath, ["service.mjs", String(port)], {
    cwd: outside,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await Promise.race([once(service.stdout!, "data"), once(service, "exit")])) as [unknown];
  expect(String(said)).toBe("ready\n");
};

/** A program that embeds the service and reads a message. Its argument is the path of the worker. */
const BUNDLED = `
import { createPostern } from "@postern/server";
const [dataDir, worker] = process.argv.slice(2);
const workerUrl = worker === undefined ? undefined : new URL(worker, import.meta.url);
const postern = await createPostern({ sandbox: true, dataDir, workerUrl });
await postern.signIn("demo@postern.test", "demo");
const { emails } = await postern.inbox("demo@postern.test", { limit: 1 });
const { parsed, text } = await postern.messages.read("demo@postern.test", emails[0].id);
await postern.stop();
console.log(parsed, text !== "");
`;

const BUNDLER = "esbuild@0.28.2";

/** The commands of the guide about embedding. */
const BUNDLE: Readonly<Record<string, ReadonlyArray<string>>> = {
  esbuild: [
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--out-extension:.js=.mjs",
    "--log-level=error",
    '--banner:js=import { createRequire as from } from "node:module"; const require = from(import.meta.url);',
    "--outdir=bundled",
  ],
  rolldown: ["--platform", "node", "--format", "esm", "--entry-file-names", "[name].mjs", "--dir", "bundled"],
};

const EXAMPLES = join(ROOT, "apps/examples");

const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "package.json")));

/** Next.js installs 400 MB and builds for a minute, so its example is tested by hand. */
const testedExamples = examples.filter((name) => name !== "next");

const dependenciesOf = (name: string): Readonly<Record<string, string>> => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
  return { ...dependencies, ...devDependencies };
};

/** The dependencies of the examples outside this repository, installed once for all examples. */
const fromRegistry = (): ReadonlyArray<string> =>
  testedExamples
    .flatMap((name) => Object.entries(dependenciesOf(name)))
    .filter(([name]) => !name.startsWith("@postern/"))
    .map((entry) => entry.join("@"));

/**
 * Makes a project that installs from the rehearsal's registry. Versions are published repeatedly, so it has its own
 * cache.
 */
const project = (folder: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"name":"outside","version":"1.0.0","private":true,"type":"module"}');
  writeFileSync(join(folder, ".npmrc"), `${registry!.npmrc}cache=${join(outside, "cache")}\n`);
};

beforeAll(async () => {
  await run(ROOT, process.execPath, ".config/build.mjs");
  mkdirSync(tarballs);
  const chosen = packages.flatMap(({ manifest }) => ["-w", manifest.name]);
  await run(ROOT, "npm", "pack", "--ignore-scripts", "--pack-destination", tarballs, ...chosen);
  registry = await startRegistry(join(outside, "registry"), env);
  project(outside);
  const publishing = { ...env, npm_config_userconfig: join(outside, ".npmrc") };
  await runIn(publishing, ROOT, tool("changeset"), "publish", "--no-git-tag");
  const published = packages.map(({ manifest }) => `${manifest.name}@${manifest.version}`);
  const given = [...published, `${OLDEST_PACKAGE}@${OLDEST}`, BUNDLER, ...new Set(fromRegistry())];
  await run(outside, "npm", "install", "--no-audit", "--no-fund", ...given);
  const port = await freePort();
  await startService(port);
  for (const { folder, manifest } of packages)
    writeFileSync(join(outside, snippetFile(manifest)), snippetOf(folder, port));
  const imports = entries.map((entry) => `await import(${JSON.stringify(entry)});`);
  writeFileSync(join(outside, "entries.mjs"), `${imports.join("\n")}\nprocess.exit(0);\n`);
});

afterAll(() => {
  service?.kill("SIGKILL");
  registry?.stop();
  rmSync(outside, { recursive: true, force: true });
});

describe("the packed packages", () => {
  it("get one version by changesets, also in their dependencies on each other", async () => {
    const copy = join(outside, "versions");
    const manifests = workspaces.map((folder) => join(relative(ROOT, folder), "package.json"));
    for (const file of [...manifests, "package.json", "package-lock.json", ".changeset/config.json"])
      cpSync(join(ROOT, file), join(copy, file));
    writeFileSync(join(copy, ".changeset/one.md"), '---\n"@postern/core": minor\n---\n\nA change.\n');
    await run(copy, tool("changeset"), "version");
    const versions = manifests.flatMap((file) => {
      const { version, dependencies, devDependencies, peerDependencies } = JSON.parse(
        readFileSync(join(copy, file), "utf8"),
      );
      const needed = Object.entries({ ...devDependencies, ...peerDependencies, ...dependencies });
      return [version, ...needed.flatMap(([name, range]) => (name.startsWith("@postern/") ? [range] : []))];
    });
    const raised = packages[0]!.manifest.version.replace(/\.(\d+)\.\d+$/, (_, minor) => `.${Number(minor) + 1}.0`);
    expect([...new Set(versions)]).toEqual([raised]);
  });

  it("pass publint", async () => {
    for (const file of readdirSync(tarballs)) await run(tarballs, tool("publint"), file, "--strict");
  });

  it("contain a README, a licence and the sources that the source maps name, but no tests", async () => {
    for (const file of readdirSync(tarballs)) {
      const files = (await run(tarballs, "tar", "-tzf", file)).split("\n");
      expect(files).toEqual(expect.arrayContaining(["package/README.md", "package/LICENSE"]));
      expect(files.filter((each) => /\/tests?\//.test(each))).toEqual([]);
      const maps = files.filter((each) => each.endsWith(".d.ts.map"));
      // The client must be small, so its package contains neither sources nor source maps.
      if (file.startsWith("postern-client-")) expect(maps).toEqual([]);
      else expect(maps).not.toEqual([]);
      for (const map of maps) expect(files).toContain(map.replace("/dist/", "/src/").replace(/\.d\.ts\.map$/, ".ts"));
    }
  });

  it.each([
    { moduleResolution: "nodenext", module: "nodenext" },
    { moduleResolution: "bundler", module: "esnext" },
  ])("compile with module resolution $moduleResolution, library declarations included", async (settings) => {
    writeFileSync(
      join(outside, "entries.ts"),
      entries.map((entry, n) => `export * as entry${n} from ${JSON.stringify(entry)};\n`).join(""),
    );
    await compile(settings, "entries.ts", ...packages.map(({ manifest }) => snippetFile(manifest)));
  });

  it.each(packages.map(({ manifest }) => manifest))("run the snippet of the README of $name", async (manifest) => {
    const file = snippetFile(manifest);
    if (file.endsWith(".test.ts")) {
      expect(await run(outside, join(outside, "node_modules/.bin/vitest"), "run", file)).toMatch(/Tests .*\d passed/);
    } else {
      expect(await run(outside, process.execPath, file)).not.toBe("");
    }
  });
});

describe.each(Object.entries(BUNDLE))("a program that %s bundles", (bundler, options) => {
  const folder = mkdtempSync(join(tmpdir(), "bundled-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    writeFileSync(join(outside, "host.mjs"), BUNDLED);
    writeFileSync(join(outside, "worker.mjs"), 'import "@postern/server/worker";\n');
    const command = bundler === "esbuild" ? join(outside, "node_modules/.bin/esbuild") : tool(bundler);
    await run(outside, command, "host.mjs", "worker.mjs", ...options);
    renameSync(join(outside, "bundled"), join(folder, "bundled"));
  });

  const start = (...operands: ReadonlyArray<string>) =>
    run(folder, process.execPath, "bundled/host.mjs", join(folder, "data"), ...operands);

  it("reads a message without the packages, given the URL of the worker", async () => {
    expect(await start("./worker.mjs")).toBe("true true\n");
  });

  it("is refused with the name of the option that it needs", async () => {
    await expect(start()).rejects.toThrow(/give its URL as the option `workerUrl`/);
  });
});

describe.each(NODES)("on Node $version", ({ version, bin }) => {
  const folder = join(outside, `empty-${version}`);
  // Vitest sets variables that are settings of the service, such as BASE_URL.
  const clean = { PATH: [bin, process.env["PATH"]].join(delimiter), HOME: process.env["HOME"], PORT: "0" };
  const postern = async (...operands: ReadonlyArray<string>) =>
    (await promisify(execFile)("npx", ["--no-install", "postern", ...operands], { cwd: folder, env: clean })).stdout;

  beforeAll(() => mkdirSync(folder));

  it("loads every entry, and runs the snippets of the server and of the harness", async () => {
    for (const file of ["entries.mjs", "server.ts", "harness.ts"]) {
      const { stderr } = await promisify(execFile)(join(bin, "node"), [file], { cwd: outside });
      expect(stderr.replaceAll(EXPERIMENTAL, "")).toBe("");
    }
  });

  it("prints its commands as npx runs them, in an empty folder", async () => {
    const help = await postern("--help");
    expect(help).toContain("npx postern keys:new");
    expect(help).not.toContain("npm run");
    const page = /^All settings: (\S+\.md)\./m.exec(help)?.[1];
    expect(readFileSync(join(outside, page!), "utf8")).toMatch(/^# Configuration/);
    expect(await postern("keys:new")).toMatch(/^CREDENTIAL_KEYS=.+\nJWT_KEYS=.+\n$/);
  });

  it("serves the API and the console by npx until it is interrupted, and keeps its data in that folder", async () => {
    // In its own process group, so that the signal reaches npx and the service, as Ctrl+C in a terminal does.
    const command = spawn("npx", ["--no-install", "postern"], { cwd: folder, env: clean, detached: true });
    const ended = once(command, "close");
    let output = "";
    for (const stream of [command.stdout, command.stderr]) stream.on("data", (text) => (output += String(text)));
    try {
      await expect.poll(() => output, { timeout: 60_000 }).toMatch(/is ready on http:\S+/);
      const [base] = /http:\S+/.exec(output)!;
      for (const path of ["/", "/health/ready", "/docs/start.md"]) expect((await fetch(base + path)).status).toBe(200);
    } finally {
      if (command.exitCode === null) process.kill(-command.pid!, "SIGINT");
    }
    await ended;
    expect(output).toMatch(/"stopped"/);
    expect(output).not.toMatch(/ExperimentalWarning/);
    expect(readdirSync(join(folder, "data"))).toContain("postern.db");
  });
});

/** The binaries of these packages come from npm, where each platform has its own package. */
const RUNTIMES = {
  bun: { from: "bun@1.4.5", install: ["install"], start: ["run"] },
  // By default, Deno installs no version that was published today.
  deno: { from: "deno@2.9.6", install: ["install", "--minimum-dependency-age=0"], start: ["run", "--allow-all"] },
};

describe.each(Object.entries(RUNTIMES))("on %s", (name, { from, install, start }) => {
  const folder = join(outside, `on-${name}`);
  const binary = join(outside, `${name}-runtime/node_modules/.bin`, name);

  it("the client installs from the registry, and runs the snippet of its README", async () => {
    project(join(outside, `${name}-runtime`));
    await run(join(outside, `${name}-runtime`), "npm", "install", "--no-audit", "--no-fund", from);
    project(folder);
    const { version } = packages.find(({ manifest }) => manifest.name === "@postern/client")!.manifest;
    const manifest = { name: "outside", private: true, type: "module", dependencies: { "@postern/client": version } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    cpSync(join(outside, "client.ts"), join(folder, "client.ts"));
    await run(folder, binary, ...install);
    expect(await run(folder, binary, ...start, "client.ts")).not.toBe("");
  });
});

describe.each(testedExamples)("the example %s", (name) => {
  it("compiles, and passes its test, against the packed packages", async () => {
    const folder = join(outside, name);
    cpSync(join(EXAMPLES, name), folder, { recursive: true, filter: (file) => !/\/(node_modules|data)$/.test(file) });
    await run(folder, tool("tsc"), "-p", folder);
    await run(folder, "npm", "test");
  });
});
