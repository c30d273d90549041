import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** A program that parses one message with the packages, as a user writes it. */
const program = (options: string) => `
import { AccountId } from "@postern/core/shared";
import { MessageParser } from "@postern/core/messages";
import { layer } from "@postern/mime";
import { Effect } from "effect";
const read = Effect.flatMap(MessageParser, (parser) =>
  parser.report(AccountId("a@y.test"), "k", new TextEncoder().encode("Subject: read\\r\\n\\r\\n")));
console.log(JSON.stringify((await Effect.runPromise(Effect.provide(read, layer(${options})))).headers));
`;

const READ = '[["Subject","read"]]\n';

/** A loader of TypeScript, also in dependencies, like tsx. */
const LOADER = `
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
registerHooks({ load: (url, context, next) => !url.endsWith(".ts") ? next(url, context) :
  ({ format: "module", source: stripTypeScriptTypes(readFileSync(new URL(url), "utf8")), shortCircuit: true }) });
`;

describe("the MIME worker", () => {
  const root = mkdtempSync(join(tmpdir(), "mime-worker-"));
  afterAll(() => rmSync(root, { recursive: true }));

  const run = async (...given: ReadonlyArray<string>): Promise<string> =>
    (await promisify(execFile)(process.execPath, given, { cwd: root })).stdout;

  /** Makes a folder with our packages installed, as TypeScript sources or as JavaScript, as they are published. */
  const project = (name: string, form: "sources" | "javascript"): string => {
    const folder = join(root, name);
    for (const at of ["packages/core", "adapters/mime"]) {
      const from = join(REPOSITORY, at);
      const to = join(folder, "node_modules/@postern", at.split("/")[1]!);
      cpSync(join(from, "src"), join(to, form === "sources" ? "src" : "dist"), { recursive: true });
      cpSync(join(from, "package.json"), join(to, "package.json"));
      const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
      for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
        if (dependency.startsWith("@postern/")) continue;
        const link = join(folder, "node_modules", dependency);
        rmSync(link, { force: true });
        symlinkSync(join(from, "node_modules", dependency), link);
      }
      if (form === "javascript") emit(join(to, "dist"));
    }
    return folder;
  };

  /** Writes a folder's files as JavaScript, as a compiler does: file names change in import declarations only. */
  const emit = (folder: string) => {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((one) =>
      one.endsWith(".ts"),
    )) {
      const script = stripTypeScriptTypes(readFileSync(join(folder, file), "utf8"));
      writeFileSync(join(folder, file.replace(/ts$/, "js")), script.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
      rmSync(join(folder, file));
    }
  };

  const write = (folder: string, file: string, text: string): string => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  };

  /** Bundles the program into one file, without its worker. */
  const bundle = async (input: string, file: string) => {
    const build = await rolldown({ input, platform: "node", logLevel: "silent" });
    await build.write({ file, format: "esm", codeSplitting: false });
    await build.close();
  };

  let built: string;

  beforeAll(() => {
    write(root, "loader.mjs", LOADER);
    built = project("built", "javascript");
  });

  it("starts from the sources of an installed package with a loader of TypeScript", async () => {
    const main = write(project("sources", "sources"), "main.mjs", program(""));
    expect(await run("--conditions=@postern/source", "--import", join(root, "loader.mjs"), main)).toBe(READ);
  });

  it("starts from a package of JavaScript", async () => {
    expect(await run(write(built, "main.mjs", program("")))).toBe(READ);
  });

  it("starts from a bundle beside the installed package", async () => {
    await bundle(write(built, "app.mjs", program("")), join(built, "out/app.mjs"));
    expect(await run(join(built, "out/app.mjs"))).toBe(READ);
  });

  it("starts from the path that a bundle gives; without one the layer fails", async () => {
    const alone = join(root, "alone");
    await bundle(join(built, "app.mjs"), join(alone, "app.mjs"));
    await expect(run(join(alone, "app.mjs"))).rejects.toThrow("give its URL as the option `workerUrl`");

    const main = write(built, "told.mjs", program('{ workerUrl: new URL("./mime-worker.mjs", import.meta.url) }'));
    await bundle(main, join(alone, "app.mjs"));
    await bundle(join(built, "node_modules/@postern/mime/dist/worker.js"), join(alone, "mime-worker.mjs"));
    expect(await run(join(alone, "app.mjs"))).toBe(READ);
  });

  it("fails the layer if it cannot start", async () => {
    const broken = write(root, "broken-worker.mjs", 'throw new Error("no such thing")');
    const main = write(built, "broken.mjs", program(JSON.stringify({ workerUrl: broken })));
    await expect(run(main)).rejects.toThrow("the MIME worker cannot start: Error: no such thing");
  });
});
