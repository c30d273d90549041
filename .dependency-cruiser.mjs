import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The arrows of docs/architecture.md: apps → adapters → core; http-api → api + core; client → api; testkit → core. */
const arrows = [
  only("core-knows-effect-alone", "packages/core", []),
  only("api-knows-effect-alone", "packages/api", []),
  ours("client-knows-the-contract", "packages/client/", ["packages/api/"]),
  ours("testkit-knows-the-core", "packages/testkit/", ["packages/core/"]),
  ours("adapters-know-the-core", "adapters/(?!http-api/)[^/]+/", ["packages/core/"]),
  ours("http-api-knows-contract-and-core", "adapters/http-api/", ["packages/api/", "packages/core/"]),
  {
    name: "apps-know-no-other-app",
    from: { path: "^apps/([^/]+)/" },
    to: { path: "^apps/", pathNot: "^apps/$1/" },
  },
  {
    name: "packages-and-adapters-know-no-app",
    comment: "Not even in their tests.",
    from: { path: "^(packages|adapters)/" },
    to: { path: "^apps/" },
  },
  {
    name: "packages-know-no-adapter",
    comment: "Not even in their tests.",
    from: { path: "^packages/" },
    to: { path: "^adapters/" },
  },
];

/** A package is what its package.json says, so that it works outside this repository too. */
const manifests = [
  {
    name: "listed-and-found",
    comment: "List it in the package.json of the package that imports it.",
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: "sources-need-no-dev-dependency",
    comment: "What a source imports belongs to `dependencies`.",
    from: { path: "^[^/]+/[^/]+/src/" },
    to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm"] },
  },
  ...workspaces().map((workspace) => ({
    name: "sources-need-what-is-listed",
    comment: "What a source imports belongs to `dependencies`.",
    from: { path: `^${workspace}/src/` },
    to: { path: "^(packages|adapters|apps)/", pathNot: [workspace, ...dependencies(workspace)].map((it) => `^${it}/`) },
  })),
  {
    name: "no-paths-across-packages",
    comment: "Import a package by its name.",
    from: { path: "^([^/]+/[^/]+)/" },
    to: { dependencyTypes: ["local"], path: "^(packages|adapters|apps)/", pathNot: "^$1/" },
  },
  {
    name: "sources-know-no-test",
    from: { path: "^[^/]+/[^/]+/src/" },
    to: { path: "/test/" },
  },
  { name: "no-circles", from: {}, to: { circular: true } },
];

/** Sources of a package may import themselves, effect and these packages, nothing else. */
function only(name, workspace, others) {
  const allowed = [`^${workspace}/src/`, "node_modules/effect/", ...others.map((other) => `^${other}`)];
  return { name, from: { path: `^${workspace}/src/` }, to: { pathNot: allowed } };
}

/** Sources of these packages may, of this repository, import themselves and these packages. */
function ours(name, workspace, others) {
  return {
    name,
    from: { path: `^(${workspace})src/` },
    to: { path: "^(packages|adapters|apps)/", pathNot: ["^$1", ...others.map((other) => `^${other}`)] },
  };
}

function workspaces() {
  return ["packages", "adapters", "apps"].flatMap((folder) =>
    readdirSync(folder)
      .map((name) => `${folder}/${name}`)
      .filter((workspace) => existsSync(`${workspace}/package.json`)),
  );
}

function manifest(workspace) {
  return JSON.parse(readFileSync(`${workspace}/package.json`, "utf8"));
}

function dependencies(workspace) {
  const listed = Object.keys(manifest(workspace).dependencies ?? {});
  return workspaces().filter((other) => listed.includes(manifest(other).name));
}

export default {
  forbidden: [...arrows, ...manifests].map((rule) => ({ ...rule, severity: "error" })),
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
