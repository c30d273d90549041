// Refuses a port without a contract that a fake and a real adapter run, and a contract that skips an operation of its port.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { guard } from "./guard.mjs";

/** Ports that only one adapter implements, or none, and why. */
const WITHOUT_FAKE = {
  Fingerprints: "pure: the harness uses the real one",
  MailServers: "its simplest implementation, `fixed`, is in the core",
  Digest: "pure: the harness uses the real one",
  Hmac: "pure: the harness uses the real one",
  MessageComposer: "pure: the harness uses the real one",
  MessageParser: "its fake is in adapters/mime: the same parser without workers",
  Tokens: "pure: the harness uses the real one",
};
const WITHOUT_CONTRACT = {
  AuthorizationServer: "no adapter implements it yet",
  EventSubscribers: "a list that the domains fill",
};
const UNCHECKED = { "AccountWatches.isOursAlone": "a constant of each adapter" };

const read = (file) => readFileSync(file, "utf8");
const textOf = (pattern) => globSync(pattern).map(read).join("\n");
const fakes = textOf("adapters/memory/test/*.ts");
const real = textOf("adapters/!(memory)/test/*.ts");

const withParts = (file) =>
  [file, ...[...read(file).matchAll(/from "(\.\/[^"]+)"/g)].map(([, part]) => join(dirname(file), part))]
    .map(read)
    .join("\n");
const operationsOf = (text) => [...text.matchAll(/^ {4}readonly (\w+):/gm)].map(([, name]) => name);

guard(["packages/core/src/*/ports/*.ts"], (text, file) => {
  const port = basename(file, ".ts");
  const domain = file.split(/[/\\]/).at(-3);
  if (port in WITHOUT_CONTRACT) return [];
  const name = port.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  const [contract] = globSync(`packages/testkit/src/contracts/*/${name}-contract.ts`);
  if (contract === undefined) return [`no contract in packages/testkit/src/contracts/${domain}/${name}-contract.ts`];
  const suite = withParts(contract);
  const isStore = textOf(`packages/testkit/src/contracts/${domain}/index.ts`).includes(`  ${port}: `);
  const runs = (tests) =>
    tests.includes(`${port[0].toLowerCase()}${port.slice(1)}Contract(`) || (isStore && tests.includes("runContracts("));
  return [
    ...operationsOf(text.slice(text.indexOf(`export class ${port} `)))
      .filter((operation) => !(`${port}.${operation}` in UNCHECKED) && !new RegExp(`\\b${operation}\\b`).test(suite))
      .map((operation) => `its contract never calls ${operation}`),
    ...(port in WITHOUT_FAKE || runs(fakes) ? [] : ["no fake runs its contract"]),
    ...(runs(real) ? [] : ["no real adapter runs its contract"]),
  ];
});
