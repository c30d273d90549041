import { ClientDocuments, ClientDocumentUnavailable } from "@postern/core/assistants";
import { EgressGuard } from "@postern/core/shared";
import { Duration, Effect, Layer } from "effect";
import { guardedFetch, NotAnswered } from "../guarded-fetch.ts";
import type { OAuthOptions } from "../OAuthOptions.ts";

/** The timeout of one document, from the DNS lookup to the last byte. */
const TIMEOUT = Duration.seconds(5);

/** Maximum number of documents fetched at the same time, because any client can name a URL. */
const MAX_AT_ONCE = 8;

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;

const reasonOf = (error: unknown): string => (error instanceof NotAnswered ? error.code : "it gave no answer");

/** Reads Client ID Metadata Documents over HTTPS, at addresses that the egress guard returned. */
export const layer = ({ timeout = TIMEOUT, tlsOptions = {} }: OAuthOptions = {}): Layer.Layer<
  ClientDocuments,
  never,
  EgressGuard
> =>
  Layer.effect(
    ClientDocuments,
    Effect.gen(function* () {
      const fetch = guardedFetch(yield* EgressGuard, tlsOptions);
      const unread = (reason: string) => new ClientDocumentUnavailable({ reason });
      const ask = Effect.fnUntraced(function* (url: string) {
        if (!url.startsWith("https:")) return yield* unread("it is not at an https address");
        const response = yield* Effect.tryPromise({
          try: (signal) => fetch(url, { method: "GET", headers: { accept: "application/json" }, signal }),
          catch: (error) => unread(reasonOf(error)),
        });
        if (response.status !== 200) return yield* unread(`HTTP ${response.status}`);
        if (!JSON_TYPE.test(response.headers.get("content-type") ?? "")) return yield* unread("it is not JSON");
        return yield* Effect.promise(() => response.text());
      });
      let reading = 0;
      return ClientDocuments.of({
        read: Effect.fn("ClientDocuments.read")(function* (url) {
          if (reading >= MAX_AT_ONCE) {
            return yield* new ClientDocumentUnavailable({ reason: "too many documents are being read", isBusy: true });
          }
          reading++;
          return yield* ask(url).pipe(
            Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(unread("it took too long")) }),
            Effect.ensuring(Effect.sync(() => reading--)),
          );
        }),
      });
    }),
  );
