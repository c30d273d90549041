import { Effect } from "effect";
import { HttpRouter, HttpServerError, HttpServerRequest } from "effect/http";
import { answerPage, compressPage } from "./compressed-page.ts";

/** A page of the documentation, in Markdown. */
export interface Guide {
  /** The path that serves it, for example `/docs/guides/sending.md`. */
  readonly path: `/${string}.md`;
  readonly title: string;
  readonly text: string;
}

const MARKDOWN = "text/markdown; charset=utf-8";

/**
 * The path of the one route for all pages, because each route adds to the start-up time. The route also matches a path
 * without the last part.
 */
export const GUIDES_PATH = "/docs/:page/*";

/** The documentation as Markdown, and `/llms.txt`, which lists it for language models (spec 8). */
export const GuidePages = (guides: ReadonlyArray<Guide>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const answerOf = (text: string) =>
        Effect.map(Effect.cached(compressPage(text, MARKDOWN)), Effect.flatMap(answerPage));
      const answers = new Map<string, Effect.Success<ReturnType<typeof answerOf>>>();
      for (const { path, text } of guides) answers.set(path, yield* answerOf(text));
      yield* router.add(
        "GET",
        GUIDES_PATH,
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest;
          const answer = answers.get(request.url.split("?", 1)[0]!);
          if (answer !== undefined) return yield* answer;
          const reason = new HttpServerError.RouteNotFound({ request });
          return yield* new HttpServerError.HttpServerError({ reason });
        }),
      );
      yield* router.add("GET", "/llms.txt", yield* answerOf(contents(guides)));
    }),
  );

const INTRODUCTION = `# Postern

> Postern gives access to any IMAP/SMTP mailbox over HTTP: sign in with an e-mail address and password, list and read
> messages, send and track mail, manage folders, and receive events as signed webhooks or as a live stream.

The API is described by its [OpenAPI document](openapi.json), with every field, error code and an example of each
operation. These pages explain how to use it.
`;

/** Folders of documentation that users of the API do not need. */
const OPTIONAL = ["adr", "internals", "spec"];

/** Returns the list of pages by folder, in the format of llmstxt.org. */
const contents = (guides: ReadonlyArray<Guide>): string => {
  const sections = Map.groupBy(guides, ({ path }) => sectionOf(path));
  const optional = [...sections].filter(([section]) => OPTIONAL.includes(section)).flatMap(([, pages]) => pages);
  const wanted = [...sections].filter(([section]) => !OPTIONAL.includes(section));
  return [...wanted, ...(optional.length === 0 ? [] : [["optional", optional] as const])].reduce(
    (text, [section, pages]) => `${text}\n## ${capitalise(section)}\n\n${pages.map(line).join("\n")}\n`,
    INTRODUCTION,
  );
};

/** Returns the folder below `/docs` that contains a page. */
const sectionOf = (path: string): string => /^\/docs\/([^/]+)\//.exec(path)?.[1] ?? "overview";

const capitalise = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** Returns the line of a page. Links are relative, so that they work below a prefix of `BASE_URL` too. */
const line = ({ title, path }: Guide): string => `- [${title}](${path.slice(1)})`;
