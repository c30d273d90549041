import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { CHROMIUM } from "@postern/testkit";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** A new page, with the errors of its console and network. */
export const openPage = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: "en-GB", ...options });
  context.setDefaultTimeout(30_000);
  // Messages are sent at once, unless a test is about Undo.
  await context.addInitScript(() =>
    localStorage.setItem("postern-undo-seconds", localStorage["postern-undo-seconds"] ?? "0"),
  );
  const page = await context.newPage();
  const faults: Array<string> = [];
  const origins = new Set<string>();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  return { context, page, faults, origins };
};

export const signIn = async (page: Page, base: string, address = "demo@postern.test"): Promise<void> => {
  await page.goto(base);
  await page.getByLabel("E-mail").fill(address);
  await page.getByLabel("Password").fill("demo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/mail/inbox");
  await page.locator(".row").first().waitFor();
};

const IMAGES = new URL("../../../docs/images/", import.meta.url);

/** Writes what the page shows to `docs/images`, if `UPDATE_IMAGES` is set, so that the guides show the console as it is. */
export const updateImage = async (page: Page, name: string, size = { width: 1280, height: 800 }): Promise<void> => {
  if (process.env["UPDATE_IMAGES"] === undefined) return;
  await page.setViewportSize(size);
  // Notices would cover the page.
  const dismiss = page.locator(".toast button");
  while ((await dismiss.count()) > 0) await dismiss.first().click();
  await page.screenshot({ path: fileURLToPath(new URL(name, IMAGES)) });
};

const AXE = createRequire(import.meta.url).resolve("axe-core");

/** Expects that axe finds no violation on the page (WCAG 2.2 A and AA, and axe's best practices). */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  // The page's policy blocks scripts added by a test; the debugger bypasses it.
  const session = await page.context().newCDPSession(page);
  const { readFile } = await import("node:fs/promises");
  await session.send("Runtime.evaluate", { expression: await readFile(AXE, "utf8") });
  await session.detach();
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (where: Document, options: object) => Promise<{ violations: Array<any> }> };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const result = await axe.run(document, { runOnly: { type: "tag", values: tags } });
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node: any) => node.html).join(" | ")}`);
  });
  expect(violations, what).toEqual([]);
};
