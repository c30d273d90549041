import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Layer } from "effect";
import { HttpRouter } from "effect/http";
import { RequestId } from "@postern/http-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConsolePages } from "../src/console/ConsolePages.ts";

let folder = "";
let get: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>;

const handlerOf = (built: string, prefix?: string) => {
  const { handler } = HttpRouter.toWebHandler(
    ConsolePages(built, prefix).pipe(Layer.provideMerge(Layer.succeed(RequestId, "request-1"))),
    { disableLogger: true },
  );
  return (path: string, headers: Record<string, string> = {}, method = "GET") =>
    handler(new Request(`http://127.0.0.1${path}`, { headers, method }));
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "console-"));
  await mkdir(join(folder, "assets"));
  await mkdir(join(folder, ".vite"));
  const files = {
    "index.html": "<html>the page</html>",
    "message.html": "<html></html>",
    "theme.js": "1",
    "favicon.svg": "<svg/>",
    "assets/index-abc.js": "plain",
    "assets/index-abc.js.br": "brotli",
    "assets/index-abc.js.gz": "gzip",
    "secret.txt": "not served",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  get = handlerOf(folder);
});

afterAll(() => rm(folder, { recursive: true }));

test.for([
  "/",
  "/mail/inbox",
  "/mail/inbox/m_1",
  "/search?q=x",
  "/compose",
  "/outbox",
  "/settings/webhooks/w_1",
  "/accounts",
  "/accounts/keys",
])("%s is the console's page, with a policy that forbids inline content and other origins", async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("<html>the page</html>");
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  const policy = answer.headers.get("content-security-policy")!;
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain("unsafe");
});

test("the service worker is at the top, so that its scope is the whole console, and is asked for again each time", async () => {
  for (const path of ["/worker.js", "/app.webmanifest"]) {
    await writeFile(join(folder, path.slice(1)), "content");
    const answer = await handlerOf(folder)(path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-cache"]);
  }
  const policy = (await handlerOf(folder)("/worker.js")).headers.get("content-security-policy");
  expect(policy).toContain("connect-src 'self'");
});

test("below a path the links of the page begin with that path", async () => {
  await writeFile(join(folder, "message.html"), '<link href="/assets/a.css"><script src="/theme.js">');
  const page = await (await handlerOf(folder, "/mail")("/message")).text();
  expect(page).toBe('<link href="/mail/assets/a.css"><script src="/mail/theme.js">');
});

test.for(["/api/nothing", "/assets/none.js", "/assets/../secret.txt", "/secret.txt", "/mailx", "/.vite/manifest.json"])(
  "%s is not part of the console",
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test("a hashed file is immutable, in the smallest accepted coding", async () => {
  const text = async (accepted: string): Promise<unknown> => {
    const answer = await get("/assets/index-abc.js", { "accept-encoding": accepted });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    return [answer.headers.get("content-encoding"), await answer.text()];
  };
  expect(await text("gzip, deflate, br")).toEqual(["br", "brotli"]);
  expect(await text("gzip;q=0.5, br;q=0")).toEqual(["gzip", "gzip"]);
  expect(await text("")).toEqual([null, "plain"]);
});

test("the icon is kept for a day, as browsers ask for it with each new address", async () => {
  expect((await get("/favicon.svg")).headers.get("cache-control")).toBe("max-age=86400");
});

test("an unchanged file is answered with 304, and HEAD has no body", async () => {
  const etag = (await get("/theme.js")).headers.get("etag")!;
  expect((await get("/theme.js", { "if-none-match": `W/${etag}` })).status).toBe(304);
  expect((await get("/theme.js", { "if-none-match": '"other"' })).status).toBe(200);
  expect((await get("/", {}, "HEAD")).status).toBe(200);
});

test("other methods are refused with Allow", async () => {
  const answer = await get("/compose", {}, "POST");
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});

test("the frame of a message forbids scripts, and remote images unless requested", async () => {
  const quiet = (await get("/message")).headers.get("content-security-policy")!;
  const images = (await get("/message-with-images")).headers.get("content-security-policy")!;
  for (const policy of [quiet, images]) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src");
    expect(policy).toContain("frame-ancestors 'self'");
  }
  expect(quiet).not.toContain("https:");
  expect(images).toContain("img-src 'self' data: https: http:");
});

test("the page explains how to build the console if it is missing", async () => {
  const answer = await handlerOf(join(folder, "nowhere"))("/");
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("npm install");
});
