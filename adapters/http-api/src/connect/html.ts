import { hash } from "node:crypto";
import { HttpServerResponse } from "effect/http";
import type { PageTongue } from "../wire/accepted-language.ts";

/** HTML that is safe to send, because its texts are escaped. */
export interface Html {
  readonly text: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const textOf = (value: string | Html | ReadonlyArray<Html>): string => {
  if (typeof value === "object" && "text" in value) return value.text;
  return typeof value === "string"
    ? value.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
    : value.map(({ text }) => text).join("");
};

/** Returns the HTML of a template. Values are escaped unless they are already `Html`. */
export const html = (
  parts: TemplateStringsArray,
  ...values: ReadonlyArray<string | Html | ReadonlyArray<Html>>
): Html => ({ text: parts.reduce((text, part, n) => text + textOf(values[n - 1] ?? "") + part) });

/** The look and the language of a page, apart from its contents. */
export interface PageStyle extends PageTongue {
  /** The colour of the application, `#rrggbb`; null for the service's own. */
  readonly colour: string | null;
}

const PLAIN: PageStyle = { lang: "en", dir: "ltr", colour: null };

/** Allows no script, no frame and no resource of other origins. Forms may redirect to a provider, and the style is allowed by its hash. */
const policy = (style: string): string =>
  `default-src 'none'; img-src data:; style-src 'self'${style === "" ? "" : ` 'sha256-${hash("sha256", style, "base64")}'`}; base-uri 'none'; frame-ancestors 'none'`;

/** Returns the style for a colour, with black or white text, whichever has the higher contrast (WCAG 2.2, 1.4.3). */
const styleOf = (colour: string | null): string => {
  if (colour === null) return "";
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return `:root{--accent:${colour};--on-accent:${luminance > 0.179 ? "#000" : "#fff"}}`;
};

/** Returns a complete page, which works without script. */
export const page = (
  prefix: string,
  title: string,
  body: Html,
  status = 200,
  { lang, dir, colour }: PageStyle = PLAIN,
): HttpServerResponse.HttpServerResponse => {
  const style = styleOf(colour);
  return HttpServerResponse.text(
    html`<!doctype html>
      <html lang="${lang}" dir="${dir}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${title} – Postern</title>
          <link rel="stylesheet" href="${prefix}/oauth/pages.css" />
          ${style === "" ? [] : [{ text: `<style>${style}</style>` }]}
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${body}
          </main>
        </body>
      </html>`.text,
    { status, contentType: "text/html; charset=utf-8", headers: { "content-security-policy": policy(style) } },
  );
};
