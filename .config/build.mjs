// Compiles every published package into its `dist`, lower packages first. Each package is checked against the
// declarations of those below it, as users see them (docs/adr/0021).
import { execFile } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { lightHttp } from "./light-http.mjs";

/**
 * Dependencies that are compiled in, because only the overrides in the root's package.json, which published packages
 * lack, resolve their own dependencies.
 */
const COMPILED_IN = { "@postern/imap": "imapflow" };

const IN_A_DEPENDENCY = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Packages without sources and source maps: their installation has at most 1 MB. */
const WITHOUT_SOURCES = new Set(["@postern/client"]);

/**
 * Entries that are bundled with all dependencies, so that programs that embed the service install no Effect
 * (docs/adr/0033).
 */
const BUNDLED = { "@postern/server": ["index", "main", "worker"] };

/** Folders of other files that a package ships in `dist/shipped`; `npm install` builds the console. */
const SHIPPED = { "@postern/server": { console: "apps/console/dist", docs: "docs" } };

/** The folder of the compiler's settings, from which it finds the types in `node_modules`. */
const SETTINGS = "node_modules/.cache/build";

const packages = ["packages", "adapters", "apps"]
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter((workspace) => !workspace.private);

const compile = async ({ name, folder }) => {
  const settings = join(SETTINGS, `${name.replace("/", "-")}.json`);
  const compilerOptions = {
    rootDir: resolve(folder, "src"),
    outDir: resolve(folder, "dist"),
    customConditions: [],
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    noEmit: false,
    noEmitOnError: true,
    emitDeclarationOnly: name in COMPILED_IN,
    declaration: true,
    declarationMap: !WITHOUT_SOURCES.has(name),
    sourceMap: !WITHOUT_SOURCES.has(name),
  };
  const paths = { extends: resolve(folder, "tsconfig.json"), include: [resolve(folder, "src")] };
  writeFileSync(settings, JSON.stringify({ ...paths, compilerOptions }));
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  await promisify(execFile)("node_modules/.bin/tsc", ["-p", settings]).catch(({ stdout }) => {
    throw new Error(`${name} does not compile:\n${stdout}`);
  });
  // The compiler does not copy declaration files that are sources.
  const written = readdirSync(join(folder, "src"), { recursive: true }).filter((file) => file.endsWith(".d.ts"));
  for (const file of written) copyFileSync(join(folder, "src", file), join(folder, "dist", file));
  if (name in COMPILED_IN) await bundle(folder, { index: "src/index.ts" }, { external: /^(effect|@postern)\b/ });
  if (name in BUNDLED) {
    const entries = Object.fromEntries(BUNDLED[name].map((entry) => [entry, `src/${entry}.ts`]));
    // pg works without the optional package that it tries to load; the others are sources of this repository.
    await bundle(folder, entries, {
      external: "pg-native",
      resolve: { conditionNames: SOURCES },
      plugins: [lightHttp],
    });
  }
  for (const [as, from] of Object.entries(SHIPPED[name] ?? {})) ship(from, join(folder, "dist/shipped", as));
  copyFileSync("LICENSE", join(folder, "LICENSE"));
};

/** Copies a folder without the pictures of the documentation, which are not served. */
const ship = (from, to) => {
  if (!existsSync(from)) throw new Error(`${from} is missing: npm run prepare builds it`);
  cpSync(from, to, { recursive: true, filter: (file) => !/^docs\/(images|openapi\.json)/.test(file) });
};

/** The conditions under which packages of this repository resolve to their sources. */
const SOURCES = ["@postern/source", "node", "default"];

const bundle = async (folder, entries, options) => {
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(folder, file)]));
  const build = await rolldown({ input, platform: "node", onLog, ...options });
  const names = { entryFileNames: "[name].js", chunkFileNames: "bundle-[name]-[hash].js" };
  // The whole service is compiled at each start, and shorter code compiles sooner. Names are kept, because short names
  // might be those of the banner that a host's bundler needs.
  const minify = folder === "apps/server" && {
    compress: true,
    mangle: false,
    codegen: { removeWhitespace: true },
  };
  await build.write({
    dir: join(folder, "dist"),
    format: "esm",
    sourcemap: folder !== "apps/server",
    minify,
    ...names,
  });
  const dependencies = (await build.watchFiles).flatMap((file) => IN_A_DEPENDENCY.exec(file)?.[0] ?? []);
  await build.close();
  const notices = [...new Set(dependencies)].map(notice).sort((one, other) => one.localeCompare(other, "en"));
  writeFileSync(join(folder, "dist/NOTICE.txt"), notices.join("\n\n"));
};

const onLog = (level, log) => {
  if (level === "warn" && log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") console.warn(log.message);
};

/** Returns the licence of a dependency, which must accompany the code. */
const notice = (dependency) => {
  const { name, version, license } = JSON.parse(readFileSync(join(dependency, "package.json"), "utf8"));
  if (license === undefined) throw new Error(`${name} names no licence`);
  const file = readdirSync(dependency).find((each) => /^licen[cs]e/i.test(each));
  const text =
    file === undefined ? "Its package has no file of its licence." : readFileSync(join(dependency, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}`;
};

/** The build of each package, which starts when the packages that it depends on are built. */
const builds = new Map();
const build = (workspace) => {
  const needs = { ...workspace.dependencies, ...workspace.peerDependencies };
  const below = packages.filter(({ name }) => name in needs);
  if (!builds.has(workspace))
    builds.set(
      workspace,
      Promise.all(below.map(build)).then(() => compile(workspace)),
    );
  return builds.get(workspace);
};

mkdirSync(SETTINGS, { recursive: true });
try {
  await Promise.all(packages.map(build));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
