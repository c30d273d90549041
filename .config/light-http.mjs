import http from "node:http";

/**
 * Returns whether an export is a plain value. Node computes others on access: `WebSocket` and its events load another
 * HTTP client.
 */
const isPlain = ([, property]) => "value" in property;
const NAMES = Object.entries(Object.getOwnPropertyDescriptors(http))
  .filter(isPlain)
  .map(([name]) => name);

/**
 * A plugin of rolldown that reads imports of `node:http` from the module's object. The import itself accesses every
 * export, which takes a tenth of the server's import time.
 */
export const lightHttp = {
  name: "light-http",
  resolveId: {
    filter: { id: /^node:http$/ },
    handler: (_, __, { kind }) => (kind === "import-statement" ? "\0light-http" : null),
  },
  load: {
    filter: { id: /^\0light-http$/ },
    handler: () =>
      `const http = process.getBuiltinModule("node:http");\nexport default http;\nexport const { ${NAMES.join(", ")} } = http;`,
  },
};
