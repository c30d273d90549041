// Refuses half-services: a generator of the core that yields services and returns functions must be a
// `Context.Service`.
import { guardExcept } from "./guard.mjs";
import { bare, calleeName, isFunction, nodesOf, treeOf, walk } from "./syntax-tree.mjs";

const MAKES_FUNCTION = /^Effect\.(?:fn|fnUntraced)$/;

/** Visits the body of a function, without the functions within it. */
const within = (fn, visit) => walk(fn.body, (node) => (isFunction(node) ? false : visit(node)));

const yieldsService = (fn) => {
  let found = false;
  within(fn, (node) => {
    const yielded = node.type === "YieldExpression" && node.delegate ? bare(node.argument) : undefined;
    if (/^[A-Z]/.test(calleeName(yielded)) && yielded.type !== "CallExpression") found = true;
    return !found;
  });
  return found;
};

/** Returns whether a value is or contains a function or a service; `values` has the generator's variables by name. */
const holdsFunction = (value, values, depth = 0) => {
  const node = bare(value);
  if (node == null || depth > 5) return false;
  const holds = (one) => holdsFunction(one, values, depth + 1);
  if (isFunction(node)) return true;
  if (node.type === "Identifier") return values.has(node.name) && holds(values.get(node.name));
  if (node.type === "YieldExpression") return node.delegate && holds(node.argument) && false;
  if (node.type === "MemberExpression") return isService(node.object, values);
  if (node.type === "CallExpression") {
    const callee = calleeName(node.callee);
    if (
      MAKES_FUNCTION.test(callee) ||
      (node.callee.type === "CallExpression" && MAKES_FUNCTION.test(calleeName(node.callee.callee)))
    )
      return true;
    return /^(?:Object\.(?:freeze|assign)|Effect\.succeed)$/.test(callee) && node.arguments.some(holds);
  }
  if (node.type === "ConditionalExpression") return holds(node.consequent) || holds(node.alternate);
  if (node.type === "ArrayExpression") return node.elements.some(holds);
  if (node.type !== "ObjectExpression") return false;
  return node.properties.some(
    (property) =>
      holds(property.type === "SpreadElement" ? property.argument : property.value) ||
      (property.type === "SpreadElement" && isService(property.argument, values)),
  );
};

/** Returns whether an expression is a service that the generator yielded. */
const isService = (value, values) => {
  const node = bare(value);
  const source = node?.type === "Identifier" ? bare(values.get(node.name)) : node;
  const yielded = source?.type === "YieldExpression" && source.delegate ? bare(source.argument) : undefined;
  return yielded?.type === "Identifier" && /^[A-Z]/.test(yielded.name);
};

const returnsFunctions = (fn) => {
  const values = new Map();
  within(fn, (node) => {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier") values.set(node.id.name, node.init);
    return true;
  });
  for (const { id, ...declared } of nodesOf(fn.body, "FunctionDeclaration"))
    if (id != null) values.set(id.name, { ...declared, id });
  let found = false;
  within(fn, (node) => {
    if (node.type === "ReturnStatement" && holdsFunction(node.argument, values)) found = true;
    return !found;
  });
  return found;
};

/** Returns the name of the variable or function to which a generator belongs. */
const nameOf = (ancestors) => {
  const named = ancestors.find(
    (node) =>
      (node.type === "VariableDeclarator" && node.id.type === "Identifier") ||
      (node.type === "FunctionDeclaration" && node.id !== null) ||
      node.type === "PropertyDefinition",
  );
  return named?.id?.name ?? named?.key?.name ?? "default";
};

guardExcept("services", ["packages/core/src/**/*.ts"], (text, file) => {
  const faults = [];
  walk(treeOf(text, file), (node, ancestors) => {
    // The value of a layer is a service.
    if (node.type === "CallExpression" && calleeName(node.callee).startsWith("Layer.")) return false;
    if (!isFunction(node) || node.generator !== true) return true;
    const call = ancestors.findLast((one) => bare(one) === one);
    const isOfEffect =
      call?.type === "CallExpression" &&
      /^Effect\.(?:gen|fn|fnUntraced)$/.test(
        calleeName(call.callee.type === "CallExpression" ? call.callee.callee : call.callee),
      );
    if (isOfEffect && yieldsService(node) && returnsFunctions(node)) {
      const name = nameOf(ancestors);
      faults.push({ at: `${file}:${name}`, fault: `${name} yields services and returns functions: make it a service` });
    }
    return true;
  });
  return faults;
});
