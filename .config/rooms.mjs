// The rooms of each package: the folders of its sources, in the order in which they may import from those before them.
import { readFileSync } from "node:fs";

/** The domains of the core, in the order of docs/architecture.md. */
const DOMAINS = [
  "shared",
  "creations",
  "mail",
  "events",
  "auth",
  "watch",
  "accounts",
  "oauth",
  "folders",
  "messages",
  "send",
  "drafts",
  "webhooks",
  "bounces",
  "arrivals",
  "lifecycle",
];

/** The files that lie in a folder beside its rooms. Its doors are above all rooms: `index.ts`, `main.ts`, what `exports` names. */
export const LOOSE = "·";

/** The order of the rooms in each folder that has some. */
export const ROOMS = {
  "packages/core/src": [...DOMAINS, LOOSE],
  "packages/api/src": ["examples", "records", "problems", "auth", "document", "groups", LOOSE],
  "packages/api/src/groups": ["accounts", LOOSE],
  "packages/client/src": ["calls", "session", "events", "receivers", LOOSE],
  "packages/testkit/src": ["servers", "oauth", "controls", "fixtures", "network", "contracts", "quirks", "fuzz", LOOSE],
  "adapters/discovery/src": [LOOSE, "accounts"],
  "adapters/egress/src": [LOOSE, "shared"],
  "adapters/files/src": ["send"],
  "adapters/http-api/src": ["wire", "problems", "edge", "downloads", "auth", "pages", "connect", "handlers", LOOSE],
  "adapters/imap/src": [
    "wire",
    "rows",
    "connection",
    "session",
    "selecting",
    "reading",
    "changing",
    "following",
    "accounts",
    "auth",
    "drafts",
    "folders",
    "messages",
    "send",
    "watch",
    LOOSE,
  ],
  "adapters/memory/src": [
    "store",
    "mail",
    "shared",
    "creations",
    "watch",
    "webhooks",
    "events",
    "auth",
    "accounts",
    "oauth",
    "folders",
    "messages",
    "send",
    "drafts",
    "bounces",
    LOOSE,
  ],
  "adapters/mime/src": [LOOSE, "messages"],
  "adapters/node-crypto/src": ["shared", "webhooks", LOOSE],
  "adapters/oauth/src": [LOOSE, "oauth"],
  "adapters/sandbox/src": ["letters", LOOSE],
  "adapters/smtp/src": [LOOSE, "accounts", "send"],
  "adapters/sql/src": [
    "tables",
    "migrations",
    "database",
    "creations",
    "auth",
    "watch",
    "accounts",
    "oauth",
    "folders",
    "messages",
    "send",
    "drafts",
    "webhooks",
    "events",
    "bounces",
    "sqlite",
    "postgres",
    "keys",
    LOOSE,
  ],
  "adapters/webhook-http/src": [LOOSE, "webhooks"],
  "apps/bench/src": ["figures", "load", "processes", "engines", "floors", "groups", LOOSE],
  "apps/console/src": [
    "api",
    "styles",
    "ui",
    "kept",
    "live",
    "session",
    "shell",
    "mail",
    "compose",
    "outbox",
    "settings",
    "accounts",
    LOOSE,
  ],
  "apps/console/src/ui": ["icons", LOOSE, "forms", "popups"],
  "apps/console/src/mail": ["emails", "actions", "list", "message", LOOSE],
  "apps/console/src/compose": ["text", "draft", "fields", "sending", LOOSE],
  "apps/console/src/settings": ["folders", "webhooks", "writing", LOOSE],
  "apps/console/src/accounts": ["records", "servers", "keys", "oauth", LOOSE],
  "apps/harness/src": [LOOSE, "scenarios", "cluster"],
  "apps/server/src": [LOOSE, "settings", "clock", "console", "wiring", "process", "embedded"],
};

/** Returns a pattern of the files that are above all rooms of a folder. */
export const doorsOf = (folder) => {
  const [area, name, src, ...below] = folder.split("/");
  if (below.length > 0) return "index\\.ts";
  const { exports = {} } = JSON.parse(readFileSync(`${area}/${name}/package.json`, "utf8"));
  const named = JSON.stringify(exports).matchAll(new RegExp(`"\\./${src}/([^/"]+)\\.ts"`, "g"));
  return ["index\\.ts", "[a-z-]*main\\.tsx?", ...Array.from(named, ([, door]) => `${door}\\.ts`)].join("|");
};
