// Reads sources as syntax trees, for the guards.
import { parseSync } from "oxc-parser";

/** Returns the tree of a source; throws for a syntax error, because such a file cannot be checked. */
export const treeOf = (text, file) => {
  const { program, errors } = parseSync(file, text);
  const error = errors.find(({ severity }) => severity === "Error");
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return program;
};

const isNode = (value) => typeof value === "object" && value !== null && typeof value.type === "string";

/** Returns the children of a node. */
export const childrenOf = (node) =>
  Object.entries(node).flatMap(([name, value]) =>
    name === "parent" ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/**
 * Calls `visit` with each node and its ancestors, the nearest last; `visit` returns false to skip the node's children.
 */
export const walk = (node, visit, ancestors = []) => {
  if (visit(node, ancestors) === false) return;
  const below = [...ancestors, node];
  for (const child of childrenOf(node)) walk(child, visit, below);
};

/** Returns all nodes of some types. */
export const nodesOf = (tree, ...types) => {
  const found = [];
  walk(tree, (node) => void (types.includes(node.type) && found.push(node)));
  return found;
};

/** Returns the node inside parentheses, `as`, `satisfies` and `!`. */
export const bare = (node) =>
  node != null &&
  /^(?:ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression|TSNonNullExpression)$/.test(node.type)
    ? bare(node.expression)
    : node;

export const isFunction = (node) =>
  /^(?:Arrow)?Function(?:Expression|Declaration)?$|^ArrowFunctionExpression$/.test(node?.type ?? "");

/** Returns the name of a callee, such as `Effect.gen` or `name`; "" for any other expression. */
export const calleeName = (node) => {
  const callee = bare(node);
  if (callee?.type === "Identifier") return callee.name;
  if (callee?.type !== "MemberExpression" || callee.computed) return "";
  const object = calleeName(callee.object);
  return object === "" ? "" : `${object}.${callee.property.name}`;
};

/** Returns the name of a property or parameter from its key, an identifier or a string. */
export const keyName = (key) =>
  key?.type === "Identifier" ? key.name : key?.type === "Literal" ? String(key.value) : "";
