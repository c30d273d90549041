// Refuses citations of sections that docs/spec does not have: `spec 4.3` in code and documentation.
import { globSync, readFileSync } from "node:fs";
import { guard, SOURCES } from "./guard.mjs";

const pages = globSync("docs/spec/*.md").map((page) => readFileSync(page, "utf8"));
const sections = new Set(pages.flatMap((text) => [...text.matchAll(/^#+ (\d+(?:\.\d+)?)[. ]/gm)].map(([, n]) => n)));

const CITATION = /\b[Ss]pec ((?:\d+(?:\.\d+)?)(?:(?:, | and )\d+(?:\.\d+)?)*)/g;

guard([...SOURCES, "docs/*.md"], (text) =>
  [...text.matchAll(CITATION)]
    .flatMap(([, list]) => list.split(/, | and /))
    .filter((section) => !sections.has(section))
    .map((section) => `docs/spec has no section ${section}`),
);
