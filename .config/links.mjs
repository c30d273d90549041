// Refuses relative links of the documentation to missing files or headings, and paths of missing files.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { guard } from "./guard.mjs";

const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]:\s*(\S+)|\b(?:href|src)="([^"]+)"/gm;
/**
 * A path in the repository as the documentation names it; a line with `new:` names a file that the reader has to
 * create.
 */
const PATH = /(?<!\bnew: .*)`((?:packages|adapters|apps|docs|\.config|\.ci)\/[^\s`<>*{}]+)`(?!.*\bnew: )/g;
const withoutCode = (text) => text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "").replaceAll(/`[^`\n]*`/g, "");

/** Returns the anchors that GitHub derives from headings; the second heading of the same name ends in -1. */
const anchorsOf = (text) => {
  const seen = new Map();
  const slugs = [...text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading]) => {
    const plain = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return new Set([...slugs, ...[...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id)]);
};

const deadLinks = (text, page) =>
  [...withoutCode(text).matchAll(LINK)]
    .map(([, inline, reference, html]) => inline ?? reference ?? html)
    .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
    .filter((link) => {
      const [path, anchor] = decodeURI(link).split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchorsOf(readFileSync(target, "utf8")).has(anchor);
    })
    .map((link) => `${link} leads nowhere`);

guard(["*.md", "docs/**/*.md", "{packages,adapters,apps}/*/*.md", "apps/examples/*/*.md"], (text, page) => [
  ...deadLinks(text, page),
  ...Array.from(text.matchAll(PATH), ([, path]) => path)
    .filter((path) => !existsSync(path))
    .map((path) => `${path} is not there`),
]);
