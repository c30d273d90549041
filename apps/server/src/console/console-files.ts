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
  /** Its name changes with what is in it, so it never does. */
  readonly hashed: boolean;
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly coded: ReadonlyArray<{ readonly name: string; readonly bytes: Uint8Array }>;
}

/** The built console by path (`/index.html`, `/assets/…`); empty where it was not built. It is small, so it stays. */
export const consoleFiles = (folder: string): Effect.Effect<ReadonlyMap<string, ConsoleFile>> =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const all = new Set(names);
    const served = names.filter((name) => extname(name) in TYPES);
    return new Map(
      await Promise.all(
        served.map(async (name): Promise<[string, ConsoleFile]> => {
          const path = `/${relative(folder, name).split(sep).join("/")}`;
          const plain = await readFile(name);
          const coded = CODINGS.filter(({ ending }) => all.has(name + ending)).map(async (coding) => ({
            name: coding.name,
            bytes: await readFile(name + coding.ending),
          }));
          return [
            path,
            {
              type: TYPES[extname(name)]!,
              hashed: path.startsWith("/assets/"),
              etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
              plain,
              coded: await Promise.all(coded),
            },
          ];
        }),
      ),
    );
  });
