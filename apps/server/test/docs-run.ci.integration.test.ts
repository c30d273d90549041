import { stripTypeScriptTypes } from "node:module";
import { expect, it } from "vitest";
import { blocksOf, failureOf, pagesToPaste } from "./pasted-page.ts";
import { dataDir, started } from "./server-process.ts";

const ADMIN_KEY = "admin-key-of-the-test-of-the-documentation";

/** The languages whose blocks are programs or parts of programs. */
const PROGRAMS = ["ts", "js", "python", "go", "php", "ruby"];

/** Commands that the service refuses, because of a wrong path or a wrong field. */
const REFUSED = [
  "curl -s http://127.0.0.1:3000/api/inbocks",
  `curl -s http://127.0.0.1:3000/api/auth/mobile-login -H 'content-type: application/json' -d '{"mail":"demo"}'`,
];

it("pastes every page without a failure, and fails if the service refuses a command", async () => {
  const { port } = await started({ ADMIN_KEY });
  const service = { port, dataDir: dataDir(), adminKey: ADMIN_KEY };
  const refused = REFUSED.map((command) => ({ name: "refused.md", text: `\`\`\`sh\n${command}\n\`\`\`\n` }));
  const pages = await pagesToPaste();
  const failures = await Promise.all([...refused, ...pages].map((page) => failureOf(page, service)));
  for (const failure of failures.splice(0, refused.length))
    expect(failure).toMatch(/^refused\.md ended with 22 after:/);
  expect(failures.filter((failure) => failure !== undefined)).toEqual([]);
});

it("runs every program that a page names, and parses the fragments", async () => {
  const faults = (await pagesToPaste()).flatMap(({ name, text }) => {
    const shell = blocksOf(text)
      .flatMap(({ language, code }) => (language === "sh" ? [code] : []))
      .join("");
    // The test of `@postern/client` runs the blocks below such a comment.
    const rest = text.replaceAll(/^<!-- example: \S+ -->\n```\w+$/gm, "```text");
    return blocksOf(rest)
      .filter(({ language }) => PROGRAMS.includes(language))
      .flatMap(({ language, file, code }) => {
        if (file !== undefined) return shell.includes(file) ? [] : [`${name} does not run ${file}`];
        if (language !== "ts" && language !== "js") return [`${name} does not name a program in ${language}:\n${code}`];
        return faultsOf(code).map((fault) => `${name}: ${fault} in\n${code}`);
      });
  });
  expect(faults).toEqual([]);
});

/** Returns the syntax error of TypeScript or JavaScript, if any. */
const faultsOf = (code: string): ReadonlyArray<string> => {
  try {
    stripTypeScriptTypes(code);
    return [];
  } catch (error) {
    return [String(error)];
  }
};
