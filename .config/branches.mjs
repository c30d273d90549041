// Finds the branches of a source text: bodies of functions and sides of conditions, to record which of them a test
// runs.
import { parseSync, visitorKeys } from "oxc-parser";

const sidesOf = (node) => {
  switch (node.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "FunctionDeclaration":
      return [node.body];
    case "IfStatement":
    case "ConditionalExpression":
      return [node.consequent, node.alternate];
    case "LogicalExpression":
      return [node.right];
    default:
      return [];
  }
};

/** Lists the branches, each after those that enclose it. */
export const branchesOf = (file, text) => {
  const branches = [];
  const walk = (node) => {
    for (const side of sidesOf(node)) if (side) branches.push({ ...side, isBody: side === node.body });
    for (const key of visitorKeys[node.type] ?? []) for (const child of [node[key]].flat()) if (child) walk(child);
  };
  walk(parseSync(file, text).program);
  return branches.toSorted((one, other) => one.start - other.start || other.end - one.end);
};

/** Returns the source with a call of `globalThis.recordCall` at the beginning of each branch. */
export const recordCalls = (file, text) => {
  const inserted = branchesOf(file, text).flatMap(({ type, start, end }, order) => {
    const call = `globalThis.recordCall?.(${JSON.stringify(`${file}#${start}`)})`;
    if (type === "BlockStatement" || type === "FunctionBody") return [{ at: start + 1, order, text: `${call};` }];
    const [open, close] = type.endsWith("Statement") ? [`{ ${call}; `, "}"] : [`(${call}, `, ")"];
    return [
      { at: start, order, text: open },
      { at: end, order: -order, text: close },
    ];
  });
  inserted.sort((one, other) => other.at - one.at || other.order - one.order);
  return inserted.reduce((whole, { at, text: more }) => whole.slice(0, at) + more + whole.slice(at), text);
};
