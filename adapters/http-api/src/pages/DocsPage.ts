import { apiAt } from "@postern/api";
import { Effect, Layer } from "effect";
import { HttpRouter, type HttpServerResponse } from "effect/http";
import { HttpApiScalar } from "effect/http-api";
import { answerPage, compressPage } from "./compressed-page.ts";
import { documentAddress } from "./document-address.ts";

const scalar = (api: ReturnType<typeof apiAt>) =>
  HttpApiScalar.layer(api, {
    path: "/docs",
    scalar: { withDefaultFonts: false, authentication: { preferredSecurityScheme: "bearer" } },
  });

/**
 * The API reference at `/docs` (spec 8), from the framework's bundle, without resources of other origins. The bundle of
 * 3 MB is loaded and compressed at the first request.
 */
export const DocsPage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const reference = scalar(apiAt(yield* documentAddress));
    const page = yield* Effect.cached(Effect.flatMap(pageOf(reference), withPolicy));
    yield* router.add("GET", "/docs", Effect.flatMap(page, answerPage));
  }),
);

/** Returns the response of a layer that adds one route to a router. */
const pageOf = Effect.fnUntraced(function* (routes: ReturnType<typeof scalar>) {
  const router = yield* HttpRouter.make;
  yield* Effect.scoped(Layer.build(routes)).pipe(Effect.provideService(HttpRouter.HttpRouter, router));
  return yield* router.asHttpEffect();
});

/** The policy names each inline script of the page by its hash, so that no other script runs. */
const withPolicy = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.gen(function* () {
    const html = response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : "";
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script!);
    const hashes = yield* Effect.promise(() => Promise.all(scripts.map(sourceHash)));
    return yield* compressPage(html, "text/html; charset=utf-8", {
      "content-security-policy":
        `default-src 'none'; script-src ${hashes.join(" ")}; style-src 'unsafe-inline'; img-src 'self' data: blob:; ` +
        "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
  });

const sourceHash = async (script: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
};
