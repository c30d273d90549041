// Puts the service and all it needs into a few files, which start in a third of the time (docs/adr/0016).
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { lightHttp } from "../../.config/light-http.mjs";
import { BUNDLE, keepBundle } from "./kept-bundle.mjs";

/** A file that a module names by its place, such as a worker's, becomes an entry of its own. */
const namedFiles = {
  name: "named-files",
  transform: {
    filter: { id: /\.ts$/, code: /\bbeside\("/ },
    handler(code, importer) {
      const entries = code.replace(/\bbeside\("(\.\/[^"]+\.ts)"\)/g, (_, file) => {
        const entry = this.emitFile({ type: "chunk", id: join(importer, "..", file) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${entry})`;
      });
      // The replacement moves no line, so the source map stays valid.
      return { code: entries, map: null };
    },
  },
};

rmSync(BUNDLE, { recursive: true, force: true });
const build = await rolldown({
  input: join(import.meta.dirname, "src/main.ts"),
  platform: "node",
  resolve: { conditionNames: ["@postern/source", "node", "default"] },
  // pg tries to import this module, and works without it.
  external: ["pg-native"],
  plugins: [namedFiles, lightHttp],
  onLog: (level, log) => {
    if (level === "warn" && log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") console.warn(log.message);
  },
});
await build.write({ dir: BUNDLE, format: "esm", sourcemap: true, sourcemapExcludeSources: true });
keepBundle(BUNDLE, [...(await build.watchFiles), import.meta.filename]);
await build.close();
