// Refuses ports without a contract that a fake and a real adapter run, and contracts that skip an operation of their
// port.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { guardExcept } from "./guard.mjs";
import { bare, calleeName, keyName, nodesOf, treeOf, walk } from "./syntax-tree.mjs";

const trees = new Map();
const treeAt = (file) => {
  if (!trees.has(file)) trees.set(file, treeOf(readFileSync(file, "utf8"), file));
  return trees.get(file);
};

/** Returns the functions that the tests of some adapters call. */
const calledIn = (pattern) =>
  new Set(
    globSync(pattern).flatMap((file) =>
      nodesOf(treeAt(file), "CallExpression").map(({ callee }) => calleeName(callee)),
    ),
  );
const fakes = calledIn("adapters/memory/test/*.ts");
const real = calledIn("adapters/!(memory)/test/*.ts");

/** Returns the trees of a contract and of the files beside it that it imports. */
const withParts = (file) => [
  treeAt(file),
  ...nodesOf(treeAt(file), "ImportDeclaration")
    .filter(({ source }) => source.value.startsWith("./"))
    .map(({ source }) => treeAt(join(dirname(file), source.value))),
];

/** Returns the operations of a port: the members of its service, or of an interface in the same file. */
const operationsOf = (tree, port) => {
  const declared = nodesOf(tree, "ClassDeclaration").find(({ id }) => id?.name === port);
  const made =
    declared === undefined ? [] : nodesOf(declared.superClass ?? declared, "TSTypeLiteral", "TSTypeReference");
  const own = made.find(({ type }) => type === "TSTypeLiteral");
  const named = new Set(made.map(({ typeName }) => typeName?.name));
  const interfaces = nodesOf(tree, "TSInterfaceDeclaration").filter(({ id }) => named.has(id.name));
  const members = own?.members ?? interfaces.flatMap(({ body }) => body.body);
  return members.filter(({ type }) => /^TS(?:Property|Method)Signature$/.test(type)).map(({ key }) => keyName(key));
};

const mentions = (node, name) => {
  let found = false;
  walk(node, (one) => {
    if (one.type === "Identifier" && one.name === name) found = true;
    return !found;
  });
  return found;
};

/**
 * Returns the members of a port that a suite uses: of `yield* Port`, of a variable with its value, or destructured from
 * it.
 */
const usedOf = (suite, port) => {
  const names = new Set([port]);
  const used = new Set();
  const isPort = (value) => {
    const node = bare(value);
    if (node?.type === "Identifier") return names.has(node.name);
    if (node?.type === "YieldExpression" || node?.type === "AwaitExpression") return isPort(node.argument);
    return node?.type === "CallExpression" && node.arguments.some(isPort);
  };
  const bind = (pattern) => {
    if (pattern.type === "Identifier") names.add(pattern.name);
    if (pattern.type === "ObjectPattern")
      for (const property of pattern.properties) if (property.type === "Property") used.add(keyName(property.key));
  };
  // A helper may be declared below its use; two passes suffice for the contracts.
  for (let round = 0; round < 2; round++) {
    walk(suite, (node, ancestors) => {
      if (node.type === "VariableDeclarator" && node.init != null && isPort(node.init)) bind(node.id);
      if (/Function/.test(node.type)) {
        const call = ancestors.at(-1);
        // Effect.flatMap(Port, (port) => …), Port.use((port) => …)
        const isGiven =
          call?.type === "CallExpression" &&
          (call.arguments.some((one) => one !== node && isPort(one)) ||
            (bare(call.callee).type === "MemberExpression" && isPort(bare(call.callee).object)));
        for (const param of node.params) {
          const annotation = (param.left ?? param).typeAnnotation;
          if (isGiven || (annotation != null && mentions(annotation, port))) bind(param.left ?? param);
        }
      }
      if (node.type === "MemberExpression" && !node.computed && isPort(node.object)) used.add(node.property.name);
      return true;
    });
  }
  return used;
};

guardExcept("contracts", ["packages/core/src/*/ports/*.ts"], (_, file) => {
  const port = basename(file, ".ts");
  const domain = file.split("/").at(-3);
  const name = port.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  const [contract] = globSync(`packages/testkit/src/contracts/*/${name}-contract.ts`);
  const missing = `no contract in packages/testkit/src/contracts/${domain}/${name}-contract.ts`;
  if (contract === undefined) return [{ at: `${port} contract`, fault: missing }];
  const used = new Set(withParts(contract).flatMap((suite) => [...usedOf(suite, port)]));
  const index = `packages/testkit/src/contracts/${domain}/index.ts`;
  const isStore = globSync(index).some((one) =>
    nodesOf(treeAt(one), "Property").some(({ key }) => keyName(key) === port),
  );
  const runs = (tests) =>
    tests.has(`${port[0].toLowerCase()}${port.slice(1)}Contract`) || (isStore && tests.has("runContracts"));
  return [
    ...operationsOf(treeAt(file), port)
      .filter((operation) => !used.has(operation))
      .map((operation) => ({ at: `${port}.${operation}`, fault: `its contract never calls ${operation}` })),
    ...(runs(fakes) ? [] : [{ at: `${port} fake`, fault: "no fake runs its contract" }]),
    ...(runs(real) ? [] : [{ at: `${port} real`, fault: "no real adapter runs its contract" }]),
  ];
});
