import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redacted } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { event, NEXT, SECRET, signed } from "./signed.ts";

const DRIVERS = join(import.meta.dirname, "receivers");
// Outside the sources, because guards read them meanwhile.
const folder = mkdtempSync(join(tmpdir(), "receivers-"));
mkdirSync(join(folder, "node_modules/@postern"), { recursive: true });
symlinkSync(join(import.meta.dirname, ".."), join(folder, "node_modules/@postern/client"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/webhooks.md"), "utf8");

/** Returns the guide's example with this name. */
const example = (name: string, into = folder): string => {
  const source = new RegExp(`<!-- example: ${name.replace(".", "\\.")} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``).exec(
    guide,
  )?.[1];
  if (source === undefined) throw new Error(`docs/guides/webhooks.md has no example ${name}`);
  const path = join(into, name);
  writeFileSync(path, `${source}\n`);
  return path;
};

interface Case {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly secret: string;
}

const now = Date.now();
const { body } = event("Grüße \u2028 📮");
const good = signed(body, null, now);
const rotating = signed(body, { secret: Redacted.make(NEXT), activatesAt: now + 60_000 }, now);
const GOOD: ReadonlyArray<Case> = [
  { headers: good, body, secret: SECRET },
  { headers: signed(event("plain").body, null, now), body: event("plain").body, secret: SECRET },
];
const FORGED: ReadonlyArray<Case> = [
  { headers: good, body, secret: NEXT },
  { headers: good, body: Buffer.concat([body, Buffer.from(" ")]), secret: SECRET },
  { headers: { ...good, "webhook-signature": "", "X-Service-Signature": "" }, body, secret: SECRET },
  { headers: { ...good, "webhook-signature": "v1,AAAA", "X-Service-Signature": "sha256=00" }, body, secret: SECRET },
];
/** Cases that only the standard scheme can detect. */
const STANDARD: ReadonlyArray<Case> = [
  { headers: signed(body, null, now - 600_000), body, secret: SECRET },
  { headers: signed(body, null, now + 600_000), body, secret: SECRET },
  { headers: { ...good, "webhook-id": "evt_2" }, body, secret: SECRET },
  { headers: { ...good, "webhook-signature": good["webhook-signature"]!.replace("v1,", "v2,") }, body, secret: SECRET },
  { headers: { ...good, "webhook-timestamp": "" }, body, secret: SECRET },
];
const ROTATING: ReadonlyArray<Case> = [SECRET, NEXT].map((secret) => ({ headers: rotating, body, secret }));

const PYTHONPATH = join(import.meta.dirname, "../../client-python/src");

const run = (cases: ReadonlyArray<Case>, command: string, args: ReadonlyArray<string>, cwd = folder): unknown => {
  const input = cases.map(({ headers, body, secret }) => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: Buffer.from(body).toString("base64"),
    secret,
  }));
  const ran = spawnSync(command, args, {
    cwd,
    env: { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1" },
    input: JSON.stringify(input),
    encoding: "utf8",
    timeout: 50_000,
  });
  if (ran.status !== 0) throw new Error(`${command}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
};

/** Go and PHP may be missing. The output then says clearly that their tests were not run. */
const describeWith = (command: string, ask: string, name: string, required: boolean, tests: () => void): void => {
  if (spawnSync(command, [ask]).status === 0) return void describe(name, tests);
  if (required && process.env["CI"] === "true") {
    return void describe(name, () => {
      it("runs", () => {
        throw new Error(`${command} is not installed`);
      });
    });
  }
  process.stderr.write(`\n*** NOT RUN: ${name}: ${command} is not installed\n\n`);
  describe.skip(`${name} (NOT RUN: ${command} is not installed)`, tests);
};

const standard = (believe: (cases: ReadonlyArray<Case>) => unknown) => {
  const ids = (cases: ReadonlyArray<Case>) => cases.map(() => "evt_1");
  it("accepts requests that the service signed, with either secret during a rotation", () => {
    expect(believe([...GOOD, ...ROTATING])).toEqual(ids([...GOOD, ...ROTATING]));
  });
  it("rejects requests that are forged, too old or too new", () => {
    expect(believe([...FORGED, ...STANDARD])).toEqual([...FORGED, ...STANDARD].map(() => null));
  });
};

describe("the guide's examples", () => {
  describeWith(process.execPath, "--version", "TypeScript with the library", true, () => {
    const path = example("library.ts");
    standard((cases) =>
      run(cases, process.execPath, ["--conditions=@postern/source", join(DRIVERS, "run.mjs"), path, "fetch"]),
    );
  });

  describeWith(process.execPath, "--version", "Node", true, () => {
    const path = example("verify.mjs");
    standard((cases) => run(cases, process.execPath, [join(DRIVERS, "run.mjs"), path, "node"]));
  });

  describeWith("python3", "--version", "Python with the library", true, () => {
    const path = example("library.py");
    standard((cases) => run(cases, "python3", [join(DRIVERS, "run.py"), path]));
  });

  describeWith("python3", "--version", "Python", true, () => {
    const path = example("verify.py");
    standard((cases) => run(cases, "python3", [join(DRIVERS, "run.py"), path]));
  });

  describeWith("python3", "--version", "Python by X-Service-Signature alone", true, () => {
    const path = example("service.py");
    it("accepts requests that the service signed, and no forged one", () => {
      const believed = run([...GOOD, ...FORGED, ROTATING[0]!], "python3", [join(DRIVERS, "run.py"), path]);
      expect(believed).toEqual(["evt_1", "evt_1", null, null, null, null, "evt_1"]);
    });
  });

  describeWith("go", "version", "Go", false, () => {
    mkdirSync(join(folder, "go/webhooks"), { recursive: true });
    example("verify.go", join(folder, "go/webhooks"));
    copyFileSync(join(DRIVERS, "run.go"), join(folder, "go/main.go"));
    writeFileSync(join(folder, "go/go.mod"), "module example\n\ngo 1.20\n");
    standard((cases) => run(cases, "go", ["run", "."], join(folder, "go")));
  });

  describeWith("php", "--version", "PHP", false, () => {
    const path = example("verify.php");
    standard((cases) => run(cases, "php", [join(DRIVERS, "run.php"), path]));
  });
});
