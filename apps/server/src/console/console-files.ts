import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { Effect } from "effect";

const CODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** A built file of the console with its compressed forms, the smallest first. */
export interface ConsoleFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly coded: ReadonlyArray<{ readonly name: string; readonly bytes: Uint8Array }>;
}

/**
 * The built console by path (`/index.html`, `/assets/…`), with a prefix in the links of its pages; empty if the console
 * was not built. The files are small, so they stay in memory.
 */
export const consoleFiles = (folder: string, prefix: string): Effect.Effect<ReadonlyMap<string, ConsoleFile>> =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const all = new Set(names);
    const served = names.filter((name) => extname(name) in TYPES);
    return new Map(
      await Promise.all(
        served.map(async (name): Promise<[string, ConsoleFile]> => {
          const path = `/${relative(folder, name).split(sep).join("/")}`;
          const built = await readFile(name);
          const isChanged = prefix !== "" && name.endsWith(".html");
          const plain = isChanged ? below(prefix, built) : built;
          const coded = CODINGS.filter(({ ending }) => !isChanged && all.has(name + ending)).map(async (coding) => ({
            name: coding.name,
            bytes: await readFile(name + coding.ending),
          }));
          return [
            path,
            {
              type: TYPES[extname(name)]!,
              cacheControl: cacheControlOf(path),
              etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
              plain,
              coded: await Promise.all(coded),
            },
          ];
        }),
      ),
    );
  });

const cacheControlOf = (path: string): string => {
  // The name contains a hash of the content.
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable";
  // Browsers request the icon whenever the URL changes, which is for each opened message.
  return path.endsWith(".svg") ? "max-age=86400" : "no-cache";
};

/** Adds the prefix to the links of a built page, which are absolute paths; links in other files are relative. */
const below = (prefix: string, page: Buffer): Buffer =>
  Buffer.from(page.toString("utf8").replaceAll(/\b(href|src)="\//g, `$1="${prefix}/`));
