// Refuses imports of another workspace by path, because a package offers only its `exports`.
import { dirname, join, relative } from "node:path";
import { guard, SOURCES } from "./guard.mjs";
import { bare, calleeName, treeOf, walk } from "./syntax-tree.mjs";

const WORKSPACE = /^(?:packages|adapters|apps)\/[^/]+/;

/** Returns the specifier that a node imports, if it is a literal. */
const importedBy = (node) => {
  const text = (value) => {
    const one = bare(value);
    if (one?.type === "Literal" && typeof one.value === "string") return one.value;
    return one?.type === "TemplateLiteral" && one.expressions.length === 0 ? one.quasis[0].value.cooked : undefined;
  };
  if (/^(?:Import|ExportAll|ExportNamed)Declaration$/.test(node.type)) return text(node.source);
  if (node.type === "ImportExpression" || node.type === "TSImportType")
    return text(node.source ?? node.argument?.literal ?? node.argument);
  if (node.type === "TSExternalModuleReference") return text(node.expression);
  if (node.type !== "CallExpression") return undefined;
  return /^(?:require|require\.resolve|import\.meta\.resolve|vi\.(?:mock|doMock|importActual))$/.test(
    calleeName(node.callee),
  )
    ? text(node.arguments[0])
    : undefined;
};

guard(SOURCES, (source, file) => {
  const faults = [];
  const own = WORKSPACE.exec(file.replaceAll("\\", "/"))?.[0];
  walk(treeOf(source, file), (node) => {
    const imported = importedBy(node);
    if (imported === undefined || !/^\.{1,2}\/|^\//.test(imported)) return true;
    const path = relative(".", join(imported.startsWith("/") ? "." : dirname(file), imported)).replaceAll("\\", "/");
    const other = WORKSPACE.exec(path)?.[0];
    if (other !== undefined && other !== own)
      faults.push(`imports ${imported}, a file of ${other}: import its package`);
    return true;
  });
  return faults;
});
