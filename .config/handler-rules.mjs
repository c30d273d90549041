// Refuses rules in handlers: the accepted inputs, their limits and their defaults belong to the core's rules.ts.
import { guardExcept } from "./guard.mjs";
import { bare, calleeName, isFunction, treeOf, walk } from "./syntax-tree.mjs";

const PARTS = /^(?:params|query|payload|headers)$/;
const ORDER = /^[<>]=?$/;
const EQUAL = /^[!=]==?$/;
const JUDGES = /^(?:Math\.\w+|Number(?:\.\w+)?|Date\.parse|parseInt|parseFloat|Schema\.(?:is|decode|make)\w*)$/;
const CHANGES =
  /^(?:slice|substring|trim\w*|normalize|padStart|padEnd|replace|replaceAll|test|match|exec|includes|startsWith|endsWith|toLowerCase|toUpperCase)$/;

/**
 * Returns whether a handler may compare with this node: to test whether a field is given, or for the booleans of a
 * query.
 */
const isShape = (node) => {
  const one = bare(node);
  return (
    (one?.type === "Identifier" && one.name === "undefined") ||
    (one?.type === "Literal" && (one.value === null || one.value === "true" || one.value === "false"))
  );
};

/** Returns the first name of a chain such as `query.limit` or `payload?.tags[0]`. */
const rootOf = (node) => {
  const one = bare(node);
  if (one?.type === "Identifier") return one.name;
  if (one?.type === "MemberExpression") return rootOf(one.object);
  if (one?.type === "ChainExpression") return rootOf(one.expression);
  return undefined;
};

const namesIn = (pattern) => {
  if (pattern?.type === "Identifier") return [pattern.name];
  if (pattern?.type === "AssignmentPattern") return namesIn(pattern.left);
  if (pattern?.type === "RestElement") return namesIn(pattern.argument);
  if (pattern?.type === "ArrayPattern") return pattern.elements.flatMap(namesIn);
  if (pattern?.type === "ObjectPattern") return pattern.properties.flatMap((one) => namesIn(one.value ?? one));
  return [];
};

/** Returns the variables that hold a handler's input: the parts of the request, or the whole request. */
const inputsOf = (fn) => {
  const [param] = fn.params;
  if (param?.type === "Identifier") return [param.name];
  if (param?.type !== "ObjectPattern") return [];
  return param.properties.flatMap((one) =>
    one.type === "Property" && PARTS.test(one.key.name ?? one.key.value) ? namesIn(one.value) : [],
  );
};

const isHandler = (fn) => fn.params[0]?.type === "ObjectPattern" && inputsOf(fn).length > 0;

guardExcept("rules", ["adapters/http-api/src/handlers/*.ts"], (text, file) => {
  const faults = [];
  const say = (node, what) => {
    const said = text.slice(node.start, node.end);
    faults.push({
      at: `${file}:${said}`,
      fault: `${said.slice(0, 60)} ${what}: put it into rules.ts of a domain of the core, or into its use case`,
    });
  };

  const look = (scope, known) => {
    const inputs = new Set(known);
    const isInput = (node) => {
      const one = bare(node);
      if (inputs.has(rootOf(one))) return true;
      return one?.type === "CallExpression" && one.callee.type === "MemberExpression" && isInput(one.callee.object);
    };
    walk(scope, (node, ancestors) => {
      if (isFunction(node) && node !== scope) {
        look(node, [...inputs, ...(isHandler(node) ? inputsOf(node) : [])]);
        return false;
      }
      const parent = ancestors.at(-1);
      if (node.type === "VariableDeclarator" && isInput(node.init))
        for (const name of namesIn(node.id)) inputs.add(name);
      if (node.type === "Literal" && (typeof node.value === "number" || typeof node.value === "bigint")) {
        const isIndex = parent?.type === "MemberExpression" && parent.property === node;
        if (!isIndex && node.value !== 0) say(node, "is a number");
      }
      if (node.type === "Literal" && node.regex !== undefined) say(node, "is a pattern");
      if (node.type === "BinaryExpression") {
        if (ORDER.test(node.operator)) say(node, "compares");
        const isJudged = isInput(node.left) || isInput(node.right);
        if (EQUAL.test(node.operator) && isJudged && !isShape(node.left) && !isShape(node.right))
          say(node, "compares the input");
      }
      if (node.type === "SwitchStatement" && isInput(node.discriminant)) say(node.discriminant, "decides by the input");
      if (node.type === "AssignmentPattern" && !isShape(node.right)) say(node, "is a default");
      if (node.type === "LogicalExpression" && node.operator === "??" && isInput(node.left)) {
        const other = bare(node.right);
        if (other?.type === "Literal" && other.value !== null) say(node, "is a default");
      }
      if (node.type === "CallExpression") {
        const name = calleeName(node.callee);
        if (JUDGES.test(name)) say(node, "judges a value");
        const callee = bare(node.callee);
        if (callee?.type === "MemberExpression" && CHANGES.test(callee.property.name ?? "") && isInput(callee.object))
          say(node, "cuts, changes or judges the input");
      }
      if (node.type === "NewExpression" && /(?:^|\.)InvalidRequest$/.test(calleeName(node.callee)))
        say(node, "refuses the input");
      return true;
    });
  };
  look(treeOf(text, file), []);
  return faults;
});
