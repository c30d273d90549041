import { fileURLToPath } from "node:url";
import { Effect } from "effect";
import { expect, it } from "vitest";
import { guidesIn } from "../src/wiring/guides-in.ts";

const pagesOf = (folder: string) =>
  Effect.runPromise(guidesIn(fileURLToPath(new URL(`../../../${folder}`, import.meta.url))));

it("finds every page of the documentation, with its title", async () => {
  const guides = await pagesOf("docs");
  expect(guides.map(({ path }) => path)).toContain("/docs/guides/sending.md");
  for (const { path, title, text } of guides) expect(text, path).toContain(`# ${title}\n`);
});

it("finds no page if there is no documentation", async () => expect(await pagesOf("no-such-folder")).toEqual([]));
