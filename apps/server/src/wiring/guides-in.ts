import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Guide } from "@postern/http-api";
import { Effect } from "effect";

/** Returns the Markdown pages of a folder by path, to be served below `/docs`; none if there is no such folder. */
export const guidesIn = (folder: string): Effect.Effect<ReadonlyArray<Guide>> =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const names = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"))
      .toSorted();
    return Promise.all(
      names.map(async (name): Promise<Guide> => {
        const text = await readFile(join(folder, name), "utf8");
        return { path: `/docs/${name}` as `/${string}.md`, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
      }),
    );
  });
