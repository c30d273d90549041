// Refuses a table of ports in docs/architecture.md that differs from the code, and a README of a package that lacks one
// of its ports, options or errors.
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { guard } from "./guard.mjs";
import { calleeName, keyName, nodesOf, treeOf } from "./syntax-tree.mjs";

const ARCHITECTURE = "docs/architecture.md";
const ROW = /^\| (`[^|]*`) \| [^|]* \| ([^|]*) \| ([^|]*) \|$/gm;
const namesIn = (text) => Array.from(text.matchAll(/`([\w.]+)`/g), ([, name]) => name);

const table = readFileSync(ARCHITECTURE, "utf8").split("## Ports and their adapters\n")[1] ?? "";
/** The ports of the table, with the packages behind each. */
const rows = [...table.matchAll(ROW)].flatMap(([, ports, real, fake]) =>
  namesIn(ports).map((port) => ({ port, adapters: `${real} ${fake}`.split(/\W+(?!crypto|http)/) })),
);
const declared = new Set(globSync("packages/core/src/*/ports/*.ts").map((file) => basename(file, ".ts")));

/** Returns the packages that have a file with the name of a port, in the folder of its domain. */
const implementersOf = (port) => globSync(`adapters/*/src/*/${port}.ts`).map((file) => file.split("/")[1]);

const faultsOfTable = () => [
  ...[...declared].flatMap((port) => {
    const of = rows.filter((row) => row.port === port);
    if (of.length !== 1) return [`${port} has ${of.length} rows in the table of ports`];
    return implementersOf(port)
      .filter((adapter) => !of[0].adapters.includes(adapter))
      .map((adapter) => `${port} is in adapters/${adapter}, too`);
  }),
  ...rows.filter(({ port }) => !declared.has(port)).map(({ port }) => `${port} is no port of the core`),
  ...rows.flatMap(({ port, adapters }) =>
    adapters
      .filter((adapter) => existsSync(`adapters/${adapter}`) && !isIn(port, `adapters/${adapter}`))
      .map((adapter) => `adapters/${adapter} does not know ${port}`),
  ),
];

const textOf = (folder) => globSync(`${folder}/src/**/*.ts`).map((file) => readFileSync(file, "utf8"));
const isIn = (port, folder) => textOf(folder).some((text) => new RegExp(`\\b${port}\\b`).test(text));

/** Returns whether a class extends `Error` or a tagged error, whose base is a call, or a call of a call. */
const isError = (superClass) =>
  superClass?.type === "CallExpression" ? isError(superClass.callee) : /Error$/.test(calleeName(superClass));

/**
 * Returns the names that the README of a package must contain: the ports that it implements, its options, and its
 * exported errors.
 */
const contentsOf = (folder) => {
  const adapter = basename(folder);
  const files = globSync(`${folder}/src/**/*.ts`).map((file) => ({
    file,
    tree: treeOf(readFileSync(file, "utf8"), file),
  }));
  const interfaces = files.flatMap(({ tree }) => nodesOf(tree, "TSInterfaceDeclaration"));
  const membersOf = (suffix) =>
    interfaces
      .filter(({ id }) => id.name.endsWith(suffix))
      .flatMap(({ body }) => body.body.map(({ key }) => keyName(key)));
  const options = membersOf("Options").filter((name) => name !== "timeouts");
  const index = readFileSync(`${folder}/src/index.ts`, "utf8");
  const isShown = (file, name) =>
    index.includes(`export * from "./${file.slice(`${folder}/src/`.length)}"`) ||
    new RegExp(`\\b${name}\\b`).test(index);
  const errors = files
    .flatMap(({ file, tree }) => nodesOf(tree, "ClassDeclaration").filter(({ id }) => isShown(file, id.name)))
    .filter(({ superClass }) => isError(superClass))
    .map(({ id }) => id.name);
  return [
    ...rows.filter(({ adapters }) => adapters.includes(adapter)).map(({ port }) => port),
    ...options,
    ...membersOf("Timeouts").map((name) => `timeouts.${name}`),
    ...errors,
  ];
};

/** The READMEs that name every port: that of the core, which declares the ports, and that of their suites. */
const ALL_PORTS = ["packages/core/README.md", "packages/testkit/README.md"];

guard(
  [
    ARCHITECTURE,
    ...ALL_PORTS,
    "adapters/!(memory|sandbox)/README.md",
    "packages/client/README.md",
    "apps/server/README.md",
  ],
  (text, page) => {
    if (page === ARCHITECTURE) return faultsOfTable();
    const names = new Set(namesIn(text));
    return (ALL_PORTS.includes(page) ? [...declared] : contentsOf(page.slice(0, -"/README.md".length)))
      .filter((name) => !names.has(name))
      .map((name) => `does not name \`${name}\``);
  },
);
