// Small faults that a programmer could have written, found in the syntax tree of one file.
import { parseSync, visitorKeys } from "oxc-parser";

const SWAPPED = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
};
const SWAPPED_METHODS = new Map(
  Object.entries({ some: "every", every: "some", min: "max", max: "min", startsWith: "endsWith" }),
);

/** Log calls; the text of a log line, and whether it is written, is not tested behaviour. */
const LOGS = /^(?:yield\* )?Effect\.(?:log|annotate|withSpan)/;

/** Options that change no result, such as whether an ignored list of results is built. */
const HINTS = new Set(["discard"]);

/** Lists the mutations of a source text: the range of each, and its replacement. */
export const mutationsOf = (file, text) => {
  const found = [];
  const replace = (node, by, from = node.start, to = node.end) =>
    found.push({ file, start: from, end: to, was: text.slice(from, to), by });

  const visitors = {
    BinaryExpression: swapOperator,
    LogicalExpression: swapOperator,
    IfStatement: ({ test }) => replace(test, `!(${text.slice(test.start, test.end)})`),
    ConditionalExpression: ({ test }) => replace(test, `!(${text.slice(test.start, test.end)})`),
    UnaryExpression: (node) => {
      if (node.operator === "!") replace(node, text.slice(node.argument.start, node.argument.end));
    },
    Literal: (node) => {
      if (typeof node.value === "boolean") replace(node, String(!node.value));
      if (typeof node.value === "number") replace(node, `(${node.raw} + 1)`);
    },
    ExpressionStatement: (node) => {
      if (!node.directive && !LOGS.test(text.slice(node.start, node.end))) replace(node, ";");
    },
    ArrayExpression: (node) => {
      if (node.elements.length > 0) replace(node, "[]");
    },
    MemberExpression: ({ property, computed }) => {
      const by = computed ? undefined : SWAPPED_METHODS.get(property.name);
      if (by !== undefined) replace(property, by);
    },
  };

  /** Whether a condition without effects decides only whether log lines are written. */
  function onlyLogs({ test, consequent, alternate }) {
    const statements = consequent.type === "BlockStatement" ? consequent.body : [consequent];
    const isLog = ({ type, start, end }) => type === "ExpressionStatement" && LOGS.test(text.slice(start, end));
    return alternate === null && !/\byield\b/.test(text.slice(test.start, test.end)) && statements.every(isLog);
  }

  function swapOperator(node) {
    const by = SWAPPED[node.operator];
    const at = text.indexOf(node.operator, node.left.end);
    // Texts can be concatenated, but not subtracted.
    const texts = [node.left, node.right].some(
      (side) => side.type === "TemplateLiteral" || typeof side.value === "string",
    );
    if (by && !(node.operator === "+" && texts)) replace(node, by, at, at + node.operator.length);
  }

  const walk = (node) => {
    if (
      node.type.startsWith("TS") &&
      !["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type)
    )
      return;
    if (["ImportDeclaration", "ExportAllDeclaration"].includes(node.type)) return;
    if (node.type === "CallExpression" && LOGS.test(text.slice(node.callee.start, node.callee.end))) return;
    if (node.type === "IfStatement" && onlyLogs(node)) return;
    if (node.type === "Property" && HINTS.has(node.key.name)) return;
    visitors[node.type]?.(node);
    for (const key of visitorKeys[node.type] ?? []) for (const child of [node[key]].flat()) if (child) walk(child);
  };
  walk(parseSync(file, text).program);
  return found;
};
