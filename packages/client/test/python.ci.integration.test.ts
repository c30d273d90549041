import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "./service.ts";

/** The Python client: its tests and the program of its README, against a service with its sandbox. */
const PACKAGE = join(import.meta.dirname, "../../client-python");

/** A Python that has httpx, or else the machine's Python. */
const PYTHON = process.env["POSTERN_PYTHON"] ?? "python3";
const isMissing = spawnSync(PYTHON, ["--version"]).status !== 0;
const lacksHttpx = !isMissing && spawnSync(PYTHON, ["-c", "import httpx"]).status !== 0;
if (lacksHttpx)
  process.stderr.write(
    "\n*** NOT RUN: the asyncio client: httpx is not installed; POSTERN_PYTHON names a Python that has it\n\n",
  );
if (isMissing) {
  if (process.env["CI"] === "true") throw new Error("python3 is not installed");
  process.stderr.write("\n*** NOT RUN: the Python client: python3 is not installed\n\n");
}

describe.skipIf(isMissing)("the Python client", () => {
  let service: Awaited<ReturnType<typeof startService>>;
  const folder = mkdtempSync(join(tmpdir(), "python-"));
  beforeAll(async () => {
    service = await startService({}, "/mail");
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const python = async (cwd: string, ...options: ReadonlyArray<string>) => {
    const env = {
      PATH: process.env["PATH"],
      PYTHONPATH: join(PACKAGE, "src"),
      PYTHONDONTWRITEBYTECODE: "1",
      POSTERN_URL: service.baseUrl,
    };
    const child = spawn(PYTHON, options, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 50_000 });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    const [code] = await once(child, "close");
    return { code: code as number | null, output };
  };

  it(`passes its tests, ${lacksHttpx ? "without those of asyncio" : "none of them skipped"}`, async () => {
    const { code, output } = await python(PACKAGE, "-m", "unittest", "discover", "-s", "test");
    const skipped = lacksHttpx ? " \\(skipped=5\\)" : "";
    expect(output).toMatch(new RegExp(`Ran \\d\\d tests in [\\d.]+s\\n\\nOK${skipped}\\n$`));
    expect(code).toBe(0);
  });

  it("runs the program of its README", async () => {
    const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
    const program = [...readme.matchAll(/^```python\n(.*?)^```/gms)].map(([, block]) => block).join("\n");
    const { code, output } = await python(folder, "-c", program.replaceAll("http://127.0.0.1:3000", service.baseUrl));
    expect(output).toMatch(/INBOX \d+[^]*invalid_request 400[^]*\nsent\n[^]*email\.received A note\n400\n$/);
    expect(code).toBe(0);
  });
});
