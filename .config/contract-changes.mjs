// Lists the changes of the contract since a commit, by default the last release or otherwise the commit before. Exits
// with 1 if a change may break a client of that time and CHANGELOG.md does not name its operation under "Breaking".
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const git = (...options) => execFileSync("git", options, { encoding: "utf8", maxBuffer: Infinity }).trim();

const lastRelease = () => {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match", "v*");
  } catch {
    return "HEAD~1";
  }
};

/** Writes the contract of a commit, from that commit's sources and today's dependencies. */
const contractAt = (commit) => {
  const root = mkdtempSync(join(tmpdir(), "contract-"));
  try {
    const sources = execFileSync("git", ["archive", commit, "packages/api", "packages/core"], { maxBuffer: Infinity });
    execFileSync("tar", ["-x", "-C", root], { input: sources });
    for (const name of ["api", "core"]) {
      const modules = join(root, "packages", name, "node_modules");
      mkdirSync(join(modules, "@postern"), { recursive: true });
      symlinkSync(join(root, "packages/core"), join(modules, "@postern/core"));
      symlinkSync(join(root, "packages/api"), join(modules, "@postern/api"));
      for (const other of readdirSync(`packages/${name}/node_modules`).filter((one) => one !== "@postern")) {
        symlinkSync(realpathSync(`packages/${name}/node_modules/${other}`), join(modules, other));
      }
    }
    const print = `import { openApiDocument } from ${JSON.stringify(join(root, "packages/api/src/index.ts"))}; console.log(openApiDocument())`;
    const options = ["--conditions=@postern/source", "--input-type=module", "--eval", print];
    return JSON.parse(execFileSync(process.execPath, options, { maxBuffer: Infinity }));
  } finally {
    rmSync(root, { recursive: true });
  }
};

const operationsOf = ({ paths }) =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );

/** Returns the kinds of values that a schema allows: its members by type, without the name of a shared schema. */
const kindsOf = (document, schema) => {
  if (schema === undefined) return [];
  if (schema.$ref !== undefined) return kindsOf(document, document.components.schemas[schema.$ref.split("/").at(-1)]);
  const all = schema.anyOf ?? schema.oneOf;
  return all === undefined ? [schema] : all.flatMap((one) => kindsOf(document, one));
};

const typeOf = ({ type, enum: values }) => (values === undefined ? String(type) : `${type} ${values.join("|")}`);
const typesOf = (kinds) => new Set(kinds.map(typeOf));
const literals = (kinds) => new Set(kinds.flatMap(({ type, enum: values = [`any ${type}`] }) => values));
const missingFrom = (some, others) => [...some].filter((one) => !others.has(one));

/** Calls `tell(place, what, breaks)` for each difference between two schemas of a request or of an answer. */
const compare = (place, [before, was], [now, is], side, tell, depth = 0) => {
  if (depth > 12) return;
  const [old, present] = [kindsOf(before, was), kindsOf(now, is)];
  const [gone, added] = [missingFrom(literals(old), literals(present)), missingFrom(literals(present), literals(old))];
  if (gone.length > 0) tell(place, `not ${gone.join(", ")} any more`, side === "request");
  if (added.length > 0) tell(place, `also ${added.join(", ")}`, side === "answer" && !added.every(isLiteral(present)));
  const objects = [old, present].map((kinds) => kinds.filter(({ properties }) => properties !== undefined));
  if (objects.some(({ length }) => length !== 1)) return items(place, [before, old], [now, present], side, tell, depth);
  const [[from], [to]] = objects;
  const [needed, needs] = [from, to].map(({ required = [] }) => new Set(required));
  for (const name of new Set([...Object.keys(from.properties), ...Object.keys(to.properties)])) {
    const at = `${place}.${name}`;
    const [one, other] = [from.properties[name], to.properties[name]];
    if (other === undefined) tell(at, "removed", true);
    else if (one === undefined) tell(at, "added", side === "request" && needs.has(name));
    else {
      if (needs.has(name) && !needed.has(name)) tell(at, "required", side === "request");
      if (needed.has(name) && !needs.has(name)) tell(at, "not always there", side === "answer");
      compare(at, [before, one], [now, other], side, tell, depth + 1);
    }
  }
  items(place, [before, old], [now, present], side, tell, depth);
};

/**
 * Returns whether a kind is a value in a list of values. A new value is no new type, because clients must expect
 * further values (docs/reference/stability.md).
 */
const isLiteral = (kinds) => (value) => kinds.some(({ enum: values = [] }) => values.includes(value));

const items = (place, [before, old], [now, present], side, tell, depth) => {
  const [from, to] = [old, present].map((kinds) => kinds.find((kind) => kind.items !== undefined)?.items);
  if (from !== undefined && to !== undefined) compare(`${place}[]`, [before, from], [now, to], side, tell, depth + 1);
};

const bodyOf = (content = {}) => content["application/json"]?.schema;

const compareOperation = (name, [before, was], [now, is], tell) => {
  const parametersOf = ({ parameters = [] }) => new Map(parameters.map((one) => [`${one.in} ${one.name}`, one]));
  const [from, to] = [parametersOf(was), parametersOf(is)];
  for (const one of missingFrom(from.keys(), to)) tell(`${name} ${one}`, "removed", true);
  for (const one of missingFrom(to.keys(), from)) tell(`${name} ${one}`, "added", to.get(one).required === true);
  for (const [one, { schema }] of from) {
    if (to.has(one)) compare(`${name} ${one}`, [before, schema], [now, to.get(one).schema], "request", tell);
  }
  compare(
    `${name} body`,
    [before, bodyOf(was.requestBody?.content)],
    [now, bodyOf(is.requestBody?.content)],
    "request",
    tell,
  );
  const [answers, statuses] = [was, is].map(({ responses }) =>
    Object.keys(responses).filter((status) => status < "300"),
  );
  for (const status of answers) {
    if (!statuses.includes(status)) tell(`${name} ${status}`, "removed", true);
    else {
      const answer = (operation) => bodyOf(operation.responses[status].content);
      compare(`${name} ${status}`, [before, answer(was)], [now, answer(is)], "answer", tell);
    }
  }
};

const base = process.argv[2] ?? lastRelease();
const [before, now] = [contractAt(base), JSON.parse(readFileSync("packages/api/openapi.json", "utf8"))];
const [old, present] = [operationsOf(before), operationsOf(now)];
const unreleased = /\n## Unreleased\n([\s\S]*?)(\n## |$)/.exec(readFileSync("CHANGELOG.md", "utf8"))?.[1] ?? "";
const named = /\n### Breaking\n([\s\S]*?)(\n### |$)/.exec(unreleased)?.[1] ?? "";
const changes = [];
const tellOf = (operation) => (place, what, breaks) => changes.push({ operation, line: `${place}: ${what}`, breaks });
for (const name of missingFrom(old.keys(), present)) tellOf(name)(name, "removed", true);
for (const name of missingFrom(present.keys(), old)) tellOf(name)(name, "added", false);
for (const [name, operation] of old) {
  if (present.has(name)) compareOperation(name, [before, operation], [now, present.get(name)], tellOf(name));
}
const isNamed = ({ operation }) => named.includes(`\`${operation}\``);
const unnamed = changes.filter((change) => change.breaks && !isNamed(change));
for (const { line, breaks } of changes) console.log(`${breaks ? "breaks  " : "        "}${line}`);
console.log(
  `looked at ${present.size} operations; ${changes.length} changes since ${base}, ${unnamed.length} break unnamed`,
);
process.exitCode = unnamed.length === 0 ? 0 : 1;
