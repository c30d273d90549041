import { methodRoutes } from "@postern/http-api";
import { Effect } from "effect";
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http";
import { type ConsoleFile, consoleFiles } from "./console-files.ts";
import { CONSOLE_POLICY, messagePolicy } from "./page-policy.ts";

/** Paths of the console's router, all answered with its single page. */
const PAGES = ["/", "/mail/*", "/search/*", "/compose", "/outbox", "/settings/*", "/accounts/*"] as const;

/** The pages that show a message, by path, with the remote content that each may fetch. */
const MESSAGE_FRAMES = [
  { path: "/message", policy: messagePolicy({ remoteImages: false }) },
  { path: "/message-with-images", policy: messagePolicy({ remoteImages: true }) },
] as const;

/** The paths of the other files. */
const FILES = ["/assets/*", "/theme.js", "/app.webmanifest", "/favicon.svg"] as const;

const NOT_BUILT =
  "<!doctype html><html lang=en><meta charset=utf-8><title>Postern</title>" +
  "<h1>The console is not built</h1><p>Run <code>npm install</code>, or <code>npm run prepare</code>, and start again. " +
  "The API works without it: see <a href=/docs>/docs</a>.</p></html>";

/** The service worker; the policy of this file's answer governs the worker's requests. */
const WORKER = "/worker.js";

/** All paths that the console answers. */
export const CONSOLE_PATHS: ReadonlyArray<string> = [
  ...PAGES,
  ...MESSAGE_FRAMES.map(({ path }) => path),
  ...FILES,
  WORKER,
];

/**
 * The console at `/` (spec 1): the files that `npm install` built, or a page with instructions for building them.
 * `prefix` is the prefix of paths in a browser.
 */
export const ConsolePages = (folder: string, prefix = "") =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const files = yield* consoleFiles(folder, prefix);
      const page = files.get("/index.html");
      const message = files.get("/message.html");

      yield* router.addAll([
        ...PAGES.map((path) =>
          HttpRouter.route(
            "GET",
            path,
            page === undefined
              ? HttpServerResponse.text(NOT_BUILT, { contentType: "text/html; charset=utf-8", status: 503 })
              : serve(page, { "content-security-policy": CONSOLE_POLICY }),
          ),
        ),
        ...MESSAGE_FRAMES.map(({ path, policy }) =>
          HttpRouter.route("GET", path, serve(message, { "content-security-policy": policy })),
        ),
        HttpRouter.route("GET", WORKER, serve(files.get(WORKER), { "content-security-policy": CONSOLE_POLICY })),
        ...FILES.map((path) =>
          HttpRouter.route(
            "GET",
            path,
            Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => serve(files.get(url.split("?", 1)[0]!))),
          ),
        ),
        ...methodRoutes(CONSOLE_PATHS.map((path) => ({ method: "GET", path }))),
      ]);
    }),
  );

const serve = (file: ConsoleFile | undefined, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (file === undefined) {
      return Effect.fail(
        new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }),
      );
    }
    const all = {
      ...headers,
      etag: file.etag,
      vary: "accept-encoding",
      "cache-control": file.cacheControl,
    };
    if (isFresh(request.headers["if-none-match"], file.etag)) {
      return Effect.succeed(HttpServerResponse.empty({ status: 304, headers: all }));
    }
    const accepted = (request.headers["accept-encoding"] ?? "").split(",").map((coding) => coding.trim().split(";"));
    const coding = file.coded.find(({ name }) =>
      accepted.some(([one, quality]) => one === name && !/^\s*q=0(\.0*)?$/.test(quality ?? "")),
    );
    return Effect.succeed(
      HttpServerResponse.uint8Array(coding?.bytes ?? file.plain, {
        contentType: file.type,
        headers: coding === undefined ? all : { ...all, "content-encoding": coding.name },
      }),
    );
  });

const isFresh = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
