// Builds the root folder of the image without a container engine: takes the steps of the Dockerfile one by one.
// `node apps/server/deploy/build-root.mjs FOLDER` leaves the image's files below the working folder that is empty or new.
import { execFileSync, execSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join, matchesGlob, resolve } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

/** The Dockerfile's instructions, each as its name and its argument. */
const instructions = readFileSync(join(ROOT, "Dockerfile"), "utf8")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .map((line) => /^([A-Z]+) (.+)$/.exec(line))
  .filter((match) => match !== null)
  .map(([, name, argument]) => ({ name, argument }));

const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").trim().split("\n");
const isSent = (file) => !ignored.some((glob) => matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`));

/** The files that a build from a fresh clone would send to the engine. */
const context = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter(isSent);

/**
 * Follows the instructions into `target`, and returns how a container of the image starts.
 * @param {string} target
 */
export const buildRoot = (target) => {
  const stages = new Map();
  /** @type {{ env: Record<string, string>, user: [number, number], entrypoint: string[], folder: string }} */
  const run = { env: {}, user: [0, 0], entrypoint: [], folder: target };
  const scratch = mkdtempSync(join(tmpdir(), "image-"));
  let root = "";
  const inStage = (path, folder = run.folder) => (isAbsolute(path) ? join(root, path) : join(folder, path));
  const steps = {
    FROM(argument) {
      const [, stage] = / AS (\S+)$/.exec(argument) ?? [];
      root = stage === undefined ? resolve(target) : join(scratch, stage);
      if (stage !== undefined) stages.set(stage, root);
    },
    WORKDIR(path) {
      run.folder = inStage(path);
      mkdirSync(run.folder, { recursive: true });
    },
    COPY(argument) {
      const [, stage, paths] = /^(?:--from=(\S+) )?(.+)$/.exec(argument);
      const sources = paths.split(" ");
      const destination = sources.pop();
      if (stage === undefined) {
        for (const file of context()) cpSync(join(ROOT, file), join(inStage(destination), file));
        return;
      }
      for (const source of sources) {
        const to = destination.endsWith("/") ? join(destination, basename(source)) : destination;
        cpSync(join(stages.get(stage), source), inStage(to), { recursive: true, preserveTimestamps: true });
      }
    },
    RUN(command) {
      execSync(command.replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`), {
        cwd: run.folder,
        stdio: ["ignore", "ignore", "inherit"],
      });
    },
    ENV(argument) {
      Object.assign(run.env, Object.fromEntries(argument.split(" ").map((pair) => pair.split("="))));
    },
    USER(user) {
      run.user = user.split(":").map(Number);
    },
    ENTRYPOINT(command) {
      run.entrypoint = JSON.parse(command);
    },
    VOLUME: () => undefined,
    EXPOSE: () => undefined,
    HEALTHCHECK: () => undefined,
  };
  try {
    for (const { name, argument } of instructions) steps[name](argument);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return run;
};

if (import.meta.main ?? process.argv[1] === import.meta.filename) console.log(buildRoot(process.argv[2]));
