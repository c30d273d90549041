// The functions of a source text, to know which of them a test calls.
import { parseSync, visitorKeys } from "oxc-parser";

/** Lists the bodies of functions, each after those that enclose it. */
export const functionBodiesOf = (file, text) => {
  const bodies = [];
  const walk = (node) => {
    if (/^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type) && node.body)
      bodies.push(node.body);
    for (const key of visitorKeys[node.type] ?? []) for (const child of [node[key]].flat()) if (child) walk(child);
  };
  walk(parseSync(file, text).program);
  return bodies;
};

/** Returns the source with a call of `globalThis.recordCall` at the begin of each function. */
export const recordCalls = (file, text) => {
  const inserted = functionBodiesOf(file, text).flatMap(({ type, start, end }, order) => {
    const call = `globalThis.recordCall?.(${JSON.stringify(`${file}#${start}`)})`;
    return type === "BlockStatement" || type === "FunctionBody"
      ? [{ at: start + 1, order, text: `${call};` }]
      : [
          { at: start, order, text: `(${call}, ` },
          { at: end, order: -order, text: ")" },
        ];
  });
  inserted.sort((one, other) => other.at - one.at || other.order - one.order);
  return inserted.reduce((whole, { at, text: more }) => whole.slice(0, at) + more + whole.slice(at), text);
};
