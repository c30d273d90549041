// The core is pure: effect's stable modules and itself, no platform, no clock, no chance but through a port.
import { stableModules, unstableMembers, unstableNames } from "./effect-stability.mjs";

const FOREIGN = "The core imports effect's stable modules and itself, nothing else: name a port.";
const UNSTABLE = "effect does not call this stable.";

const globals = {
  Date: "The core asks Clock for the time.",
  performance: "The core asks Clock for the time.",
  setTimeout: "The core sleeps with Effect.",
  setInterval: "The core repeats with Effect.",
  setImmediate: "The core yields with Effect.",
  queueMicrotask: "The core yields with Effect.",
  crypto: "The core asks Entropy and OpaqueIds.",
  process: "The core knows no process.",
  require: FOREIGN,
  Buffer: "The core uses Uint8Array.",
  console: "The core logs with Effect.",
  fetch: "The core does no I/O: name a port.",
  WebSocket: "The core does no I/O: name a port.",
  navigator: "The core knows no platform.",
  globalThis: "The core knows no platform.",
};

export default {
  categories: { correctness: "off" },
  rules: {
    "no-restricted-globals": ["error", ...Object.entries(globals).map(([name, message]) => ({ name, message }))],
    "no-restricted-imports": [
      "error",
      {
        patterns: [{ group: ["*", "!./**", "!../**", ...stableModules.map((name) => `!${name}`)], message: FOREIGN }],
        paths: [
          { name: "effect", importNames: unstableNames, message: UNSTABLE },
          { name: "effect", importNames: ["Config", "ConfigProvider"], message: "The core takes plain options." },
        ],
      },
    ],
    "no-restricted-properties": [
      "error",
      { object: "Math", property: "random", message: "The core asks Entropy." },
      ...unstableMembers.map(([object, property]) => ({ object, property, message: UNSTABLE })),
    ],
  },
};
