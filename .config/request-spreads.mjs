// Refuses spreading a request, or the rest of one after destructuring: its other fields would reach a port that does
// not know them.
import { guardExcept } from "./guard.mjs";
import { bare, calleeName, isFunction, nodesOf, treeOf, walk } from "./syntax-tree.mjs";

const REQUEST = /(?:Request|Wishes|Query|Criteria)$/;

/** Returns whether a type is a request, also within `Partial<…>`, `Readonly<…>`, `Omit<…>` or a union. */
const isRequest = (type) => {
  const one = type?.type === "TSTypeAnnotation" ? type.typeAnnotation : type;
  if (one?.type === "TSUnionType" || one?.type === "TSIntersectionType") return one.types.some(isRequest);
  if (one?.type === "TSParenthesizedType") return isRequest(one.typeAnnotation);
  if (one?.type !== "TSTypeReference") return false;
  const name = one.typeName.type === "TSQualifiedName" ? one.typeName.right.name : one.typeName.name;
  return (
    REQUEST.test(name) ||
    (one.typeArguments?.params.some(isRequest) === true && /^(?:Partial|Readonly|Required|Omit)$/.test(name))
  );
};

/** Returns the types of a function's parameters from its context: `const f: (request: R) => void = …`. */
const givenTypes = (fn, ancestors) => {
  const parent = ancestors.findLast((one) => bare(one) === one);
  const type =
    parent?.type === "VariableDeclarator" && bare(parent.init) === fn
      ? parent.id.typeAnnotation
      : parent?.typeAnnotation;
  const signature = type?.type === "TSTypeAnnotation" ? type.typeAnnotation : type;
  return signature?.type === "TSFunctionType" ? signature.params.map((param) => param.typeAnnotation) : [];
};

const restOf = (pattern) =>
  pattern?.type === "ObjectPattern"
    ? pattern.properties.find((property) => property.type === "RestElement")
    : undefined;

guardExcept("requests", ["packages/core/src/**/*.ts", "adapters/*/src/**/*.ts"], (text, file) => {
  const faults = [];
  const say = (name, what) =>
    faults.push({ at: `${file}:${name}`, fault: `${what}: name what of the request goes on` });

  /** Finds faults in a function or module; `known` tells which names are requests. */
  const look = (scope, known) => {
    const names = new Map(known);
    const bind = (pattern, wasRequest) => {
      const target = pattern?.type === "AssignmentPattern" ? pattern.left : pattern;
      if (target?.type === "Identifier") names.set(target.name, wasRequest);
      const rest = restOf(target);
      if (wasRequest && rest !== undefined)
        say(rest.argument.name, `...${rest.argument.name} is what is left of a request`);
      if (target?.type !== "ObjectPattern") return;
      for (const property of target.properties) if (property.type === "Property") bind(property.value, false);
    };
    const isKnown = (node) => {
      const one = bare(node);
      if (node?.type === "TSAsExpression" && isRequest(node.typeAnnotation)) return true;
      return one?.type === "Identifier" && names.get(one.name) === true;
    };
    walk(scope.node, (node, ancestors) => {
      if (isFunction(node) && node !== scope.node) {
        const given = givenTypes(node, ancestors.length > 0 ? ancestors : [scope.node]);
        look({ node, given }, names);
        return false;
      }
      if (node === scope.node && isFunction(node)) {
        for (const [n, param] of node.params.entries()) {
          const target = param.type === "AssignmentPattern" ? param.left : param;
          bind(param, isRequest(target.typeAnnotation) || isRequest(scope.given[n]));
        }
      }
      if (node.type === "VariableDeclarator") bind(node.id, isRequest(node.id.typeAnnotation) || isKnown(node.init));
      if (node.type === "AssignmentExpression" && node.left.type === "ObjectPattern")
        bind(node.left, isKnown(node.right));
      if (node.type === "SpreadElement" && isKnown(node.argument) && ancestors.at(-1)?.type === "ObjectExpression") {
        say(bare(node.argument).name ?? "spread", `...${bare(node.argument).name ?? ""} spreads a request`);
      }
      if (node.type === "CallExpression" && /^(?:Object\.assign|structuredClone)$/.test(calleeName(node.callee))) {
        for (const argument of node.arguments)
          if (isKnown(argument)) say(bare(argument).name, "a request is copied as a whole");
      }
      return true;
    });
  };

  const tree = treeOf(text, file);
  if (nodesOf(tree, "SpreadElement", "RestElement", "CallExpression").length > 0)
    look({ node: tree, given: [] }, new Map());
  return faults;
});
