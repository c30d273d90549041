import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, describeWithChromium, hostileHtml } from "@postern/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sanitisedHtml } from "../src/html/sanitised-html.ts";

/** A server that counts requests; a request for `/ran` proves that a script ran. */
interface Tracker {
  readonly server: Server;
  readonly address: string;
  readonly asked: Array<string>;
}

const listening = async (answer: (path: string) => string | undefined): Promise<Tracker> => {
  const asked: Array<string> = [];
  const server = createServer((request, response) => {
    const page = answer(request.url ?? "");
    if (page === undefined) asked.push(request.url ?? "");
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};

/** Shows a page in a browser that can reach only this machine, and returns its final markup. */
const shown = async (url: string): Promise<string> => {
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const browser = spawn(CHROMIUM, [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    `--user-data-dir=${profile}`,
    "--virtual-time-budget=8000",
    "--timeout=40000",
    "--dump-dom",
    url,
  ]);
  let dom = "";
  browser.stdout.on("data", (text) => (dom += text));
  const late = setTimeout(() => browser.kill("SIGKILL"), 50_000);
  await new Promise((resolve) => browser.once("exit", resolve));
  clearTimeout(late);
  rmSync(profile, { recursive: true, force: true });
  return dom;
};

describeWithChromium("html in a browser", () => {
  let tracker: Tracker;
  let pages: Tracker;
  let samples: ReadonlyArray<string> = [];

  beforeAll(async () => {
    tracker = await listening(() => undefined);
    const remote = tracker.address;
    const asIs = hostileHtml(remote);
    samples = asIs.map((html) => sanitisedHtml(html, {}).html);
    const alarm = `<script>window.alert=()=>{new Image().src="${remote}/ran"}</script>`;
    pages = await listening((path) => {
      const [, kind, n] = /^\/(as-is|sanitised)(?:\/(\d+))?$/.exec(path) ?? [];
      if (kind === undefined) return undefined;
      const from = kind === "as-is" ? asIs : samples;
      if (n !== undefined) return `<!doctype html>${alarm}<body>${from[Number(n)]}`;
      return `<!doctype html><title>done</title>${from.map((_, each) => `<iframe src="/${kind}/${each}"></iframe>`).join("")}`;
    });
  });

  afterAll(() => {
    for (const { server } of [tracker, pages]) server.close();
  });

  it("runs scripts and fetches when unsanitised, which proves the test works", async () => {
    await shown(`${pages.address}/as-is`);
    expect(tracker.asked).toContain("/ran");
    expect(tracker.asked).toContain("/pixel.gif");
    expect(tracker.asked.length).toBeGreaterThan(10);
  }, 60_000);

  it("runs no script and fetches nothing when sanitised", async () => {
    tracker.asked.length = 0;
    pages.asked.length = 0;
    expect(await shown(`${pages.address}/sanitised`)).toContain("<title>done</title>");
    expect(tracker.asked).toEqual([]);
    // Requests to this server would also be wrong: relative URLs in a message would reach Postern itself.
    expect(pages.asked.filter((path) => path !== "/favicon.ico")).toEqual([]);
  }, 60_000);
});
