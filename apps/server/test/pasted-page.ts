import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@postern/testkit";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Folders whose pages have blocks to paste, next to README.md and docs/start.md. */
const FOLDERS = ["docs/guides", "docs/deploy"];

/** Matches blocks that install or start software, which a test cannot paste. */
const STARTS_SOFTWARE =
  /^\s*(?:[A-Z_]+=\S*\s+)*(?:npm (?:install|ci|i|start|test|run (?:test|check|bench))\b|npx postern|docker|podman|systemctl|helm|kubectl)/m;

/** Makes curl fail on an HTTP error, as it would stop a reader. */
const FAILING_CURL = `curl() {
  if [[ " $* " =~ \\ (--fail|-[a-zA-Z]*f) ]]; then command curl "$@"; else command curl --fail-with-body "$@"; fi
}
`;

const TIME_LIMIT_MILLIS = 100_000;

/** A page of the documentation. */
interface Page {
  /** Its path from the root of the repository. */
  readonly name: string;
  readonly text: string;
}

/** A fenced block: its language, the file name after it (` ```ts mirror.ts `), and its code. */
interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly code: string;
}

/** Returns the pages with blocks to paste. */
export const pagesToPaste = async (): Promise<ReadonlyArray<Page>> => {
  const listed = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(join(ROOT, folder))).map((file) => `${folder}/${file}`)),
  );
  const names = ["README.md", "docs/start.md", ...listed.flat().filter((name) => name.endsWith(".md"))];
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(ROOT, name), "utf8") })));
};

/** Returns the fenced blocks of a page. */
export const blocksOf = (text: string): ReadonlyArray<Block> =>
  [...text.matchAll(/^```(\w+)[ \t]*([\w.-]+)?[ \t]*\n([\s\S]*?)^```/gm)].map(([, language, file, code]) => ({
    language: language!,
    file,
    code: code!,
  }));

/** Returns the shell blocks of a page as one script, as a reader pastes them into one shell. */
const scriptOf = (text: string): string => {
  const pasted = blocksOf(text).filter(({ language, code }) => language === "sh" && !STARTS_SOFTWARE.test(code));
  return FAILING_CURL + pasted.map(({ code }) => code).join("");
};

/**
 * Pastes a page into a shell whose folder looks like the repository; returns the failure, or undefined.
 *
 * The blocks with a file name are saved there first. Port 3000 becomes the port of the service under test, and port 4000
 * a free one. Processes that the page leaves running are ended.
 */
export const failureOf = async ({ name, text }: Page, service: { port: number; dataDir: string; adminKey: string }) => {
  const folder = await mkdtemp(join(tmpdir(), "pasted-"));
  const receiver = String(await freePort());
  const onPorts = (code: string) =>
    code.replaceAll(/\b3000\b/g, String(service.port)).replaceAll(/\b4000\b/g, receiver);
  try {
    await mkdir(join(folder, "page"));
    const page = join(folder, "page");
    for (const entry of await readdir(ROOT)) await symlink(join(ROOT, entry), join(page, entry));
    for (const { file, code } of blocksOf(text))
      if (file !== undefined) await writeFile(join(page, file), onPorts(code));
    const script = join(folder, "pasted.sh");
    await writeFile(script, onPorts(scriptOf(text)));
    const { code, output } = await runInBash(script, page, { DATA_DIR: service.dataDir, ADMIN_KEY: service.adminKey });
    return code === 0 ? undefined : `${name} ended with ${code} after:\n${output.slice(-1_000)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const runInBash = async (script: string, cwd: string, service: Readonly<Record<string, string>>) => {
  const { PATH, HOME } = process.env;
  const shell = spawn("bash", ["-euo", "pipefail", script], {
    cwd,
    detached: true,
    env: { PATH, HOME, ...service },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const endGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-shell.pid!, signal);
    } catch {
      // Every process of the group has ended.
    }
  };
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (text) => (output += text));
  const limit = setTimeout(() => endGroup("SIGKILL"), TIME_LIMIT_MILLIS);
  const [code, signal] = await once(shell, "exit");
  clearTimeout(limit);
  endGroup("SIGKILL");
  return { code: (code ?? signal) as number | string, output };
};
