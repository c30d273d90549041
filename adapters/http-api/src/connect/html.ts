import { HttpServerResponse } from "effect/http";

/** HTML that is safe to send: texts in it are escaped. */
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

/** Returns HTML of a template, whose values are escaped unless they are HTML. */
export const html = (
  parts: TemplateStringsArray,
  ...values: ReadonlyArray<string | Html | ReadonlyArray<Html>>
): Html => ({ text: parts.reduce((text, part, n) => text + textOf(values[n - 1] ?? "") + part) });

/** No script, no frame, and nothing from elsewhere; forms may lead to a provider. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Returns a page of ours, which works without script. */
export const page = (prefix: string, title: string, body: Html, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${title} – Postern</title>
          <link rel="stylesheet" href="${prefix}/oauth/pages.css" />
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${body}
          </main>
        </body>
      </html>`.text,
    { status, contentType: "text/html; charset=utf-8", headers: { "content-security-policy": POLICY } },
  );
