// Checks the names of files. A PascalCase file exports the service, record, port, component or class of that name, or
// the `layer` of that port, and no other class. A kebab-case file has functions, and no class except errors.
import { basename } from "node:path";
import { guard } from "./guard.mjs";

const DECLARED = /^export (?:default )?(?:abstract )?(?:async )?(?:class|const|function\*?|interface|type) (\w+)/gm;
const REEXPORTED = /^export (?:type )?\{([^}]*)\}/gm;
const CLASS = /^export (?:abstract )?class (\w+)(?:<.*?>)?(?: extends ([\w.]+))?/gm;

/** Classes that may share a file: errors of the core, problems of the contract. */
const ERROR = /(?:TaggedError|Error|[Pp]roblem|badRequest)$/;

const all = (text, pattern) => [...text.matchAll(pattern)];

const faultsOf = (text, file) => {
  const name = basename(file).replace(/\.tsx?$/, "");
  const exported = [
    ...all(text, DECLARED).map(([, own]) => own),
    ...all(text, REEXPORTED).flatMap(([, list]) => list.split(",").map((one) => one.trim().split(" ").at(-1))),
  ];
  const classes = all(text, CLASS)
    .filter(([, , base = ""]) => !ERROR.test(base))
    .map(([, own]) => own);
  if (/^([A-Z]|use[A-Z])/.test(name)) {
    const isNamed = exported.includes(name) || exported.includes("layer");
    return [
      ...(isNamed ? [] : [`exports no ${name}`]),
      ...classes.filter((own) => own !== name).map((own) => `exports ${own} too: give it a file of its own`),
    ];
  }
  if (!/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(name)) return ["is named neither in PascalCase nor in kebab-case"];
  return classes.map((own) => `exports the class ${own}: name the file after it`);
};

guard(["{packages,adapters,apps}/*/src/**/*.{ts,tsx}"], faultsOf);
